import type {
  OperatorAction as WireAction,
  OperatorPurchase as WirePurchase,
  OperatorRefund as WireRefund,
  OwedTotal as WireOwedTotal,
  PurchaseRecord as WireRecord,
} from '#contract/operator/shapes.ts'
import { formatDecimal, PRICE_DECIMALS, USD_DECIMALS } from '#domain/money.ts'
import { assetOf, gatewayCoinOf } from '#domain/settlement/ledger.ts'
import { type PaymentToken, paymentTokenOf, type Sale } from '#domain/sale/sale.ts'
import type { PurchaseRecord } from '#server/use-cases/operations/get-purchase-record.ts'
import type { ActionPage } from '#server/use-cases/audit/record-action.ts'
import type { RefundPage } from '#server/use-cases/operations/list-refunds.ts'
import type { PurchaseSearchPage } from '#server/use-cases/operations/search-purchases.ts'
import type { Emails } from './emails-for.ts'
import { presentAsked, presentEndedMark } from '#server/http/routing/present-approval.ts'
import { assetToWire, rowToWire, instantToWire, orNull } from '#contract/codec.ts'
import type { SaleState as WireSaleState } from '#contract/operator/operations.ts'
import type { SaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { breachName, notRunName } from '#server/use-cases/operations/pause-sale.ts'

type Tokens = Pick<Sale, 'paymentTokens' | 'project'>

export const tokenToWire = ({ id, symbol, chain }: PaymentToken) => ({
  id,
  short_name: symbol,
  chain,
})

/** A payment token, or a coin that a gateway has read; null for any other asset. */
export function presentAsset(sale: Tokens, asset: string | null) {
  const known = paymentTokenOf(sale, asset)
  if (known !== undefined) return tokenToWire(known)
  const coin = asset === null ? null : gatewayCoinOf(asset)
  return coin && { id: coin.code, short_name: coin.code.toUpperCase(), chain: coin.gateway }
}

type Moved = { payment_token_id: string | null; chain: string; asset: string | null }

/** Its name in the ledger. */
export const assetOfRow = ({ payment_token_id: paymentTokenId, chain, asset }: Moved) =>
  assetOf({ paymentTokenId, chain, asset })

export function presentRefund(
  refund: RefundPage['items'][number],
  sale: Tokens,
  emails: Emails,
): WireRefund {
  const asset = assetOfRow(refund)
  return {
    ...rowToWire(refund),
    user: { id: refund.user_id, email: emails(refund.email) },
    payment_token: presentAsset(sale, asset),
    amount: assetToWire(sale, asset, refund.amount),
    fee: orNull(refund.fee, (fee) => assetToWire(sale, asset, fee)),
    reason: refund.why,
    since_date: instantToWire(refund.since),
    asked_acts: refund.asked.map(presentAsked),
    ended_mark: orNull(refund.ended, presentEndedMark),
  }
}

export function presentOwed(owed: RefundPage['owed'][number], sale: Tokens): WireOwedTotal {
  return {
    ...owed,
    payment_token: presentAsset(sale, owed.asset),
    amount: assetToWire(sale, owed.asset, owed.amount),
  }
}

export function presentFoundPurchase(
  purchase: PurchaseSearchPage['items'][number],
  sale: Tokens,
  emails: Emails,
): WirePurchase {
  const { id, terms, outcome } = purchase
  const crypto = (amount: bigint) => formatDecimal(amount, terms.cryptoDecimals)
  const given = outcome.allocations.reduce((sum, { tokens }) => sum + tokens, 0n)
  const known = presentAsset(sale, terms.paymentTokenId)
  return {
    id,
    user: { id: purchase.userId, email: emails(purchase.email) },
    status: outcome.status,
    status_reason: outcome.reason,
    payment_token: known ?? { id: terms.paymentTokenId, short_name: '', chain: '' },
    stage_id: terms.stageId,
    usd: formatDecimal(terms.usd, USD_DECIMALS),
    amount: crypto(terms.cryptoDue),
    credited_usd: formatDecimal(outcome.credited.usd, USD_DECIMALS),
    credited_amount: crypto(outcome.credited.crypto),
    credited_tokens: formatDecimal(given, terms.tokenDecimals),
    created_date: instantToWire(terms.createdAt),
    expires_date: instantToWire(terms.expiresAt),
    completed_date: orNull(purchase.completedAt, instantToWire),
  }
}

export function presentPurchaseRecord(
  record: PurchaseRecord,
  sale: Tokens,
  emails: Emails,
): WireRecord {
  const { purchase } = record
  const { terms, outcome } = purchase
  return {
    ...presentFoundPurchase(purchase, sale, emails),
    address: purchase.address,
    rail: purchase.rail,
    payment_id: purchase.paymentId,
    token_price: formatDecimal(terms.tokenPrice, PRICE_DECIMALS),
    payment_token_price: formatDecimal(terms.cryptoPrice, PRICE_DECIMALS),
    due_amount: formatDecimal(outcome.due, terms.cryptoDecimals),
    held_tokens: formatDecimal(outcome.reserved, terms.tokenDecimals),
    receipts: record.receipts.map((receipt) => presentReceipt(receipt, sale)),
    refunds: record.refunds.map((refund) => presentRefund(refund, sale, emails)),
    marks: record.marks.map(rowToWire),
    history: record.history.map(rowToWire),
    ledger: record.transfers.map((transfer) => presentTransfer(transfer, sale)),
    mails: record.mails.map((mail) => ({
      ...rowToWire(mail),
      date: instantToWire(mail.created_at),
    })),
    actions: record.actions.map(presentAction),
  }
}

export function presentTransfer(transfer: PurchaseRecord['transfers'][number], sale: Tokens) {
  return { ...rowToWire(transfer), amount: assetToWire(sale, transfer.asset, transfer.amount) }
}

function presentReceipt(
  receipt: PurchaseRecord['receipts'][number],
  sale: Tokens,
): WireRecord['receipts'][number] {
  const asset = assetOf(receipt)
  return {
    ...rowToWire(receipt),
    payment_token: presentAsset(sale, asset),
    amount: assetToWire(sale, asset, receipt.amount),
    hash: receipt.transactionHash,
  }
}

export function presentAction(action: ActionPage['items'][number]): WireAction {
  return {
    ...rowToWire(action),
    id: String(action.id),
    hash: Buffer.from(action.hash).toString('hex'),
  }
}

const UNFOLLOWED =
  'This instance cannot use the sale file that is applied, and sells nothing until it can: its log ' +
  'says why'

export function presentSaleState(state: SaleState, sale: Sale): WireSaleState {
  const { status, stage, pause, report, audit, refunds, withdrawable, softCap, chains } = state
  const { unmatchedCount, lostPaymentCount, snapshot } = state
  return {
    withdrawable: withdrawable.map(({ paymentTokenId, amount, usd, count }) => ({
      payment_token: presentAsset(sale, paymentTokenId),
      amount: assetToWire(sale, paymentTokenId, amount),
      amount_fiat: formatDecimal(usd, USD_DECIMALS),
      purchases: count,
    })),
    soft_cap: orNull(softCap, ({ cap, raised, closedAt }) => ({
      amount_fiat: orNull(cap, (amount) => formatDecimal(amount, USD_DECIMALS)),
      raised_fiat: formatDecimal(raised, USD_DECIMALS),
      closed_date: orNull(closedAt, instantToWire),
    })),
    version: state.version,
    sale_file_fault: state.hasAppliedFile ? null : UNFOLLOWED,
    status: status.status,
    stage: stage?.name ?? null,
    starts_date: status.status === 'NOT_STARTED' ? instantToWire(status.startsAt) : null,
    pause: orNull(pause.paused, ({ reason, since }) => ({ reason, since: instantToWire(since) })),
    refunds: { ...refunds },
    unmatched: unmatchedCount,
    lost_payments: lostPaymentCount,
    snapshot,
    chains: chains.map(({ name, height, readThrough, readAgoMs, fault, tokens }) => ({
      name,
      fault,
      height: orNull(height, Number),
      read_through_date: orNull(readThrough, instantToWire),
      read_seconds_ago: orNull(readAgoMs, (ms) => Math.round(ms / 1000)),
      payment_tokens: tokens.map(({ paymentToken, fault }) => ({ id: paymentToken.id, fault })),
    })),
    audit: orNull(audit, (last) => ({ ...rowToWire(last), not_run: [...last.notRun] })),
    check: orNull(report, (last) => ({
      ...rowToWire(last),
      not_run: last.notRun.map((each) => ({ name: notRunName(each), ...each })),
      breaches: last.breaches.map(({ check, subject, fault }) => ({
        name: breachName({ check, subject }),
        check,
        fault,
        is_accepted: pause.accepted.some(
          (accepted) => accepted.check === check && accepted.subject === subject,
        ),
      })),
    })),
  }
}
