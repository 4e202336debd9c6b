import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, parseDecimal, type Price } from '#domain/money.ts'
import { paidPrice as paidPriceOf } from '#domain/settlement/paid-price.ts'
import {
  orNull,
  priceFromWire,
  tokensFromWire,
  unitsFromWire,
  usdFromWire,
} from '#contract/codec.ts'
import { WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'
import type { PaymentWords } from '#web/messages/en/transaction.ts'
import type { Texts } from '#web/messages/texts.ts'

/** What the buyer has to know about a purchase at this moment; each state has its sentence. */
type PaymentSituation = keyof Texts['transaction']['situations']

/** True once money for a purchase has arrived: the form that led to it has served its purpose. */
export function isPaid(purchase: Transaction | undefined): purchase is Transaction {
  return purchase?.status === 'processing' || purchase?.status === 'completed'
}

type Facts = Pick<
  Transaction,
  'status' | 'status_reason' | 'receipts' | 'refunds' | 'payment_amount'
>

export function paymentSituation(facts: Facts): PaymentSituation {
  const { status, status_reason: reason, receipts, refunds } = facts
  const isOver = status === 'expired' || status === 'failed'
  const isUndone = reason === 'withdrawn' || reason === 'soft_cap'
  if (isOver && !isUndone && refundState(facts) === 'sent') return 'refunded'
  if (reason === 'withdrawn' && receipts.length + refunds.length === 0) return 'withdrawnUnpaid'
  const situation = situations[status](reason, receipts.length > 0)
  return situation === 'rest' && Number(facts.payment_amount) === 0 ? 'restTooSmall' : situation
}

export function isRefundDue({ refunds }: Pick<Transaction, 'refunds'>): boolean {
  return refunds.some(({ status }) => status === 'due')
}

/** Whether money is owed back that is in no claim, so that the buyer has to do something. */
export function isRefundUnclaimed({ refunds }: Pick<Transaction, 'refunds'>): boolean {
  return refunds.some(({ status, claim }) => status === 'due' && claim === null)
}

/** How far money is on its way back: only what the network has confirmed is noted. */
export function refundState(facts: Facts): PaymentWords['refund'] {
  const { refunds, receipts } = facts
  const isConfirmed = receipts.every((each) => each.confirmations >= each.required_confirmations)
  if (refunds.length === 0 || !isConfirmed) return 'unconfirmed'
  return isRefundDue(facts) ? 'noted' : 'sent'
}

const situations: Record<
  Transaction['status'],
  (reason: Transaction['status_reason'], hasReceipts: boolean) => PaymentSituation
> = {
  pending: (reason) => {
    if (reason === 'underpaid') return 'rest'
    if (reason === 'reorged') return 'dropped'
    return reason === 'wrong_asset' ? 'wrongAsset' : 'waiting'
  },
  processing: (reason) => {
    if (reason === 'held') return 'held'
    if (reason === 'underpaid') return 'confirmingPart'
    if (reason === 'late') return 'confirmingLate'
    return reason === 'reorged' ? 'confirmingAgain' : 'confirming'
  },
  completed: (reason) => {
    if (reason === 'underpaid') return 'creditedPart'
    if (reason === 'overpaid') return 'creditedMore'
    return reason === 'late' ? 'creditedLate' : 'credited'
  },
  expired: (reason, hasReceipts) => {
    if (reason === 'reorged') return 'expiredDropped'
    if (reason === 'wrong_asset') return 'expiredWrongAsset'
    return hasReceipts ? 'expiredPaid' : 'expired'
  },
  failed: (reason, hasReceipts) => {
    if (reason === 'underpaid') return 'failedShort'
    if (reason === 'withdrawn') return 'withdrawn'
    if (reason === 'soft_cap') return 'softCapMissed'
    return hasReceipts ? 'failedPaid' : 'failed'
  },
}

/** True while a payment is awaited: the address, the QR and the amount are shown only then. */
export function isPayable(transaction: Transaction): boolean {
  return (
    transaction.status === 'pending' &&
    transaction.type === 'purchase' &&
    transaction.payment_address !== null &&
    transaction.payment_amount !== null &&
    Number(transaction.payment_amount) > 0
  )
}

export type PaymentStep = 'seen' | 'confirming' | 'credited'

type StepState = 'waiting' | 'current' | 'done' | 'failed'

/** How far the money has come. */
export function paymentSteps(transaction: Transaction): Record<PaymentStep, StepState> {
  const { status, receipts, confirmations, required_confirmations: required } = transaction
  const hasArrived = receipts.length > 0
  const isConfirmed = confirmations >= required
  switch (status) {
    case 'pending':
      return { seen: 'current', confirming: 'waiting', credited: 'waiting' }
    case 'processing':
      return {
        seen: 'done',
        confirming: isConfirmed ? 'done' : 'current',
        credited: isConfirmed ? 'current' : 'waiting',
      }
    case 'completed':
      return { seen: 'done', confirming: 'done', credited: 'done' }
    case 'expired':
    case 'failed':
      return hasArrived
        ? { seen: 'done', confirming: isConfirmed ? 'done' : 'current', credited: 'failed' }
        : { seen: 'failed', confirming: 'waiting', credited: 'waiting' }
  }
}

/** Everything that arrived at the address, exactly, in the payment token. */
export function receivedAmount({ receipts, payment_token: token }: Transaction): string {
  const decimals = token?.decimals ?? 0
  const sum = receipts.reduce((total, { amount }) => {
    return total + (parseDecimal(amount, decimals) ?? 0n)
  }, 0n)
  return formatDecimal(sum, decimals)
}

/** A smaller share of what arrived may be lost by rounding to a number of the wire. */
const ROUNDING_SHARE = 10n ** 12n

/** The part for which no tokens were given, exactly; null if all of it was used. */
export function unusedAmount(transaction: Transaction): string | null {
  const { actual_purchase_amount_crypto: credited, payment_token: token } = transaction
  if (credited === null || token === null) return null
  const received = parseDecimal(receivedAmount(transaction), token.decimals) ?? 0n
  const unused = received - unitsFromWire(credited, token.decimals)
  return unused * ROUNDING_SHARE > received ? formatDecimal(unused, token.decimals) : null
}

const WALLET_LINK = /^(?:bitcoin|litecoin|dogecoin|ethereum):[^\s]+$/i

/** The payment link, if a wallet may be opened with it. */
export function walletLink({ payment_uri: link }: Transaction): string | null {
  return link !== null && WALLET_LINK.test(link) ? link : null
}

/** Dollars for one token: the average of what was paid, if that differs from the locked price. */
export function paidPrice(transaction: Transaction): { price: Price; isAverage: boolean } {
  const { tokens, status_reason: reason, actual_purchase_amount_fiat: fiat } = transaction
  return paidPriceOf({
    held: priceFromWire(transaction.token_price),
    reason,
    usd: orNull(fiat, usdFromWire),
    base: tokensFromWire(tokens.base, WIRE_DECIMALS),
    tokenDecimals: WIRE_DECIMALS,
  })
}
