import { instantToWire, orNull } from '#contract/codec.ts'
import type {
  RefundBatch as WireBatch,
  RefundBatchRecord as WireBatchRecord,
} from '#contract/operator/refund-batches.ts'
import type { OperatorClaim as WireClaim } from '#contract/operator/refund-claims.ts'
import { formatDecimal, type Usd, USD_DECIMALS } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { BatchRecord, BatchView } from '#server/use-cases/refunds/batch-view.ts'
import type { OwnedClaimView } from '#server/use-cases/refunds/list-claims.ts'
import type { Emails } from './emails-for.ts'
import { presentAsked } from '#server/http/routing/present-approval.ts'

const tokenToWire = ({ id, symbol, chain }: PaymentToken) => ({ id, short_name: symbol, chain })

const usdToText = (usd: Usd) => formatDecimal(usd, USD_DECIMALS)

export function presentOperatorClaim(view: OwnedClaimView, emails: Emails): WireClaim {
  const { claim, paymentToken, pays, parts } = view
  const text = (amount: bigint) => formatDecimal(amount, paymentToken.decimals)
  return {
    id: claim.id,
    user: { id: claim.user_id, email: emails(claim.email) },
    payment_token: tokenToWire(paymentToken),
    rail: claim.rail,
    chain: claim.chain,
    address: claim.address,
    amount: text(claim.amount),
    fee: text(claim.fee),
    pays: text(pays),
    amount_fiat: orNull(view.usd, usdToText),
    state: claim.state,
    claimed_date: instantToWire(claim.claimed_at),
    approvable_date: instantToWire(claim.approvable_at),
    asked_acts: presentAsked(view.asked),
    approved_date: orNull(claim.approved_at, instantToWire),
    batch_id: orNull(claim.batch_id, String),
    transaction_hash: claim.transaction_hash,
    explorer_url: view.explorerUrl,
    confirmations: claim.confirmations,
    required_confirmations: claim.required_confirmations,
    closed_date: orNull(claim.closed_at, instantToWire),
    reason: claim.reason,
    is_covered: parts.every((part) => part.is_covered),
    is_held: parts.some((part) => part.is_held),
    parts: parts.map((part) => ({
      receipt_id: part.receipt_id,
      purchase_id: part.purchase_id,
      amount: text(part.amount),
      reason: part.why,
      is_covered: part.is_covered,
    })),
  }
}

export function presentBatch(view: BatchView): WireBatch {
  const { batch, claims, sent, confirmed, sums, usd, namedExplorerUrl } = view
  return {
    id: String(batch.id),
    rail: batch.rail,
    chain: batch.chain,
    state: batch.state,
    created_date: instantToWire(batch.created_at),
    closed_date: orNull(batch.closed_at, instantToWire),
    named_hash: batch.named_hash,
    named_explorer_url: namedExplorerUrl,
    reason: batch.reason,
    claims,
    sent,
    confirmed,
    sums: sums.map((sum) => ({
      payment_token: tokenToWire(sum.paymentToken),
      pays: formatDecimal(sum.pays, sum.paymentToken.decimals),
      claims: sum.claims,
    })),
    amount_fiat: orNull(usd, usdToText),
  }
}

export function presentBatchRecord(record: BatchRecord, emails: Emails): WireBatchRecord {
  const items = record.items.map((item) => presentOperatorClaim(item, emails))
  return {
    ...presentBatch(record),
    items,
    named_transactions: record.named.map(({ hash, isNamed, explorerUrl, claims, note }) => ({
      hash,
      is_named: isNamed,
      explorer_url: explorerUrl,
      claims,
      note,
    })),
    other_amounts: record.others.flatMap(({ id, amount, transactionHash, explorerUrl }) => {
      const view = record.items.find(({ claim }) => claim.id === id)
      if (view === undefined) return []
      const { paymentToken, pays, claim } = view
      return [
        {
          claim_id: id,
          address: claim.address,
          payment_token: tokenToWire(paymentToken),
          came: formatDecimal(amount, paymentToken.decimals),
          pays: formatDecimal(pays, paymentToken.decimals),
          hash: transactionHash,
          explorer_url: explorerUrl,
        },
      ]
    }),
    formats: [...record.formats],
    manifest: {
      rows: items.map(({ id, address, payment_token, pays }) => ({
        claim_id: id,
        address,
        payment_token,
        pays,
      })),
      sha256: record.sha256,
    },
  }
}
