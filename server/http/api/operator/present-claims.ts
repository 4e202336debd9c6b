import { rowToWire, orNull } from '#contract/codec.ts'
import type {
  RefundBatch as WireBatch,
  RefundBatchRecord as WireBatchRecord,
} from '#contract/operator/refund-batches.ts'
import type { OperatorClaim as WireClaim } from '#contract/operator/refund-claims.ts'
import { formatDecimal, type Usd, USD_DECIMALS } from '#domain/money.ts'
import type { BatchRecord, BatchView } from '#server/use-cases/refunds/batch-view.ts'
import type { OwnedClaimView } from '#server/use-cases/refunds/list-claims.ts'
import type { Emails } from './emails-for.ts'
import { tokenToWire } from './present-operations.ts'
import { presentAsked, presentEndedMark } from '#server/http/routing/present-approval.ts'

const usdToText = (usd: Usd) => formatDecimal(usd, USD_DECIMALS)

export function presentOperatorClaim(view: OwnedClaimView, emails: Emails): WireClaim {
  const { claim, paymentToken, pays, parts } = view
  const text = (amount: bigint) => formatDecimal(amount, paymentToken.decimals)
  return {
    ...rowToWire(claim),
    user: { id: claim.user_id, email: emails(claim.email) },
    payment_token: tokenToWire(paymentToken),
    amount: text(claim.amount),
    fee: text(claim.fee),
    pays: text(pays),
    amount_fiat: orNull(view.usd, usdToText),
    asked_acts: view.asked.map(presentAsked),
    batch_id: orNull(claim.batch_id, String),
    explorer_url: view.explorerUrl,
    is_covered: parts.every((part) => part.is_covered),
    is_held: parts.some((part) => part.is_held),
    parts: parts.map((part) => ({
      ...part,
      amount: text(part.amount),
      reason: part.why,
      ended_mark: orNull(view.ended.get(part.receipt_id) ?? null, presentEndedMark),
    })),
  }
}

export function presentBatch(view: BatchView): WireBatch {
  const { batch, sums, usd } = view
  return {
    ...rowToWire(batch),
    ...rowToWire(view),
    id: String(batch.id),
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
    named_transactions: record.named.map(rowToWire),
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
