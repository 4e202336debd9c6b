import {
  add,
  type CryptoAmount,
  cryptoAmount,
  greatest,
  least,
  subtract,
  type Usd,
  usd,
} from '#domain/money.ts'
import type { OperatorMark, PurchaseFacts, ReceiptFact } from './facts.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'
import { covers, isOnTime, valueOf } from './valuation.ts'

/** The receipts of a purchase by what they can do, in the order of their first sighting. */
export type ClassifiedReceipts = {
  /** Of the right asset, confirmed or not. */
  alive: readonly ReceiptFact[]
  onTime: readonly ReceiptFact[]
  /** Of the right asset. */
  confirmed: readonly ReceiptFact[]
  /** Of the right asset, but dropped by the chain. */
  gone: readonly ReceiptFact[]
  foreign: readonly ReceiptFact[]
}

export function classifyReceipts({
  terms,
  receipts,
}: Pick<PurchaseFacts, 'terms' | 'receipts'>): ClassifiedReceipts {
  const sorted = receipts.toSorted(
    (one, other) => one.seenAt.getTime() - other.seenAt.getTime() || (one.id < other.id ? -1 : 1),
  )
  const right = sorted.filter((receipt) => receipt.isRightAsset)
  const alive = right.filter(({ state }) => state !== 'gone')
  return {
    alive,
    onTime: alive.filter((receipt) => isOnTime(terms, receipt)),
    confirmed: alive.filter(isConfirmed),
    gone: right.filter(({ state }) => state === 'gone'),
    foreign: sorted.filter(({ isRightAsset, state }) => !isRightAsset && state !== 'gone'),
  }
}

/**
 * The state of a purchase according to its receipts and marks, before stages are asked for supply.
 */
export type Assessment =
  | 'pending'
  | 'processing'
  | 'held'
  | 'credit'
  | 'expired'
  /** Over, with less than the minimum. */
  | 'underpaid'
  /** By an operator, or failed at the gateway. */
  | 'stopped'
  /** By its buyer, or because the sale missed its soft cap. */
  | 'reversed'

/** By the rules of docs/money.md. */
export function assess(facts: PurchaseFacts, classified: ClassifiedReceipts): Assessment {
  const { terms } = facts
  const mark = lastMark(facts.marks)
  const isHeld = mark === 'held' && classified.alive.length > 0
  // Whether the money goes back at all is first decided by whoever holds the purchase.
  if (facts.reversal !== null) return isHeld ? 'held' : 'reversed'
  if (facts.hasGatewayFailed || mark === 'failed') return 'stopped'
  const credit = isHeld ? 'held' : 'credit'
  const waiting = isHeld ? 'held' : 'processing'

  if (covers(terms, sum(classified.onTime.filter(isConfirmed)))) return credit
  if (covers(terms, sum(classified.onTime))) return waiting
  const minimum = minimumValue(terms)
  if (!hasExpired(facts)) {
    const isLateMoneyHere = classified.alive.length > classified.onTime.length
    return isLateMoneyHere && valueOf(facts, classified.alive).usd >= minimum ? waiting : 'pending'
  }
  // No more money can be in time now, so the receipts decide once all of them are confirmed.
  if (!classified.onTime.every(isConfirmed)) return waiting
  if (valueOf(facts, classified.confirmed).usd >= minimum) return credit
  // A price may still come for it, and then it buys.
  if (classified.alive.some((receipt) => receipt.isUnpriced && !isConfirmed(receipt)))
    return waiting
  if (valueOf(facts, classified.alive).usd >= minimum) return waiting
  if (isHeld) return 'held'
  return classified.onTime.length > 0 ? 'underpaid' : 'expired'
}

/** The least that is credited to a purchase that was not paid in full and in time. */
function minimumValue(terms: PurchaseTerms): Usd {
  return greatest(usd(1n), least(terms.minUsd, terms.usd))
}

/**
 * Nothing expires until its chain has been read past the expiry and its grace: a payment sent in
 * time may be in unread blocks.
 */
export function hasExpired({ terms, chainReadThrough }: PurchaseFacts): boolean {
  return chainReadThrough !== null && chainReadThrough >= terms.graceEndsAt
}

export function isConfirmed({ state }: ReceiptFact): boolean {
  return state === 'confirmed'
}

/** How far a receipt is confirmed. */
type Confirmed = { confirmations: number; requiredConfirmations: number }

/**
 * Of several receipts, the one that its chain has to confirm most often yet: the purchase waits for
 * it. Undefined without receipts.
 */
export function lastToConfirm<R extends Confirmed>(receipts: readonly R[]): R | undefined {
  let last: R | undefined
  for (const receipt of receipts) {
    const lacksMore = last === undefined ? 1 : missing(receipt) - missing(last)
    const isFewer = last !== undefined && receipt.confirmations < last.confirmations
    if (lacksMore > 0 || (lacksMore === 0 && isFewer)) last = receipt
  }
  return last
}

function missing({ confirmations, requiredConfirmations }: Confirmed): number {
  return Math.max(requiredConfirmations - confirmations, 0)
}

/** The part of a receipt that was neither paid back nor sent: what there is to credit or to owe. */
export function unspent(receipt: ReceiptFact): ReceiptFact {
  return { ...receipt, amount: subtract(notPaidBack(receipt), amountBeingSent(receipt)) }
}

/** What of a receipt is being sent, and so stays owed until that is decided. */
export function amountBeingSent(receipt: ReceiptFact): CryptoAmount {
  return least(receipt.beingSent?.amount ?? NOTHING, notPaidBack(receipt))
}

function notPaidBack({ amount, paidBack = NOTHING }: ReceiptFact): CryptoAmount {
  return greatest(NOTHING, subtract(amount, paidBack))
}

const NOTHING = cryptoAmount(0n)

/** The sum of receipts, whatever their state. */
export function sum(receipts: readonly ReceiptFact[]): CryptoAmount {
  return receipts.reduce((total, { amount }) => add(total, amount), cryptoAmount(0n))
}

/**
 * Of two marks with the same instant the stricter one counts, in whatever order they are stored.
 */
const STRICTNESS = { released: 0, held: 1, failed: 2 }

function lastMark(marks: readonly OperatorMark[]): OperatorMark['kind'] | null {
  const sorted = marks.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() || STRICTNESS[one.kind] - STRICTNESS[other.kind],
  )
  return sorted.at(-1)?.kind ?? null
}
