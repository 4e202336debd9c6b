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
import { covers, isOnTime, worthInDollars } from './valuation.ts'

/** The receipts of a purchase by what they can do, in the order in which they were first seen. */
export type Money = {
  /** Of the right asset, confirmed or not. */
  alive: readonly ReceiptFact[]
  onTime: readonly ReceiptFact[]
  /** Of the right asset. */
  confirmed: readonly ReceiptFact[]
  /** Of the right asset, dropped by the chain. */
  gone: readonly ReceiptFact[]
  foreign: readonly ReceiptFact[]
}

/** The receipts of a purchase by what they can do. */
export function sortMoney({ terms, receipts }: PurchaseFacts): Money {
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

/** What is to be done, before supply is asked. */
export type Verdict =
  | 'pending'
  | 'processing'
  | 'held'
  | 'credit'
  | 'expired'
  /** Over, with less than the minimum. */
  | 'underpaid'
  /** An operator or the gateway says so. */
  | 'stopped'

/** What the facts of a purchase come to, by the rules of docs/money.md. */
export function judge(facts: PurchaseFacts, money: Money): Verdict {
  const { terms } = facts
  const mark = lastMark(facts.marks)
  if (facts.hasGatewayFailed || mark === 'failed') return 'stopped'
  const isHeld = mark === 'held' && money.alive.length > 0
  const credit = isHeld ? 'held' : 'credit'
  const waiting = isHeld ? 'held' : 'processing'

  if (covers(terms, sum(money.onTime.filter(isConfirmed)))) return credit
  if (covers(terms, sum(money.onTime))) return waiting
  const minimum = minimumWorth(terms)
  if (!hasExpired(facts)) {
    const isLateMoneyHere = money.alive.length > money.onTime.length
    return isLateMoneyHere && worthInDollars(facts, money.alive) >= minimum ? waiting : 'pending'
  }
  // No more money can be on time now, so what there is decides, once all of it is confirmed.
  if (!money.onTime.every(isConfirmed)) return waiting
  if (worthInDollars(facts, money.confirmed) >= minimum) return credit
  if (worthInDollars(facts, money.alive) >= minimum) return waiting
  if (isHeld) return 'held'
  return money.onTime.length > 0 ? 'underpaid' : 'expired'
}

/** The least that is credited to a purchase that was not paid in full and on time. */
function minimumWorth(terms: PurchaseTerms): Usd {
  return greatest(usd(1n), least(terms.minUsd, terms.usd))
}

/** A silent chain expires nothing: it has to have been read past the time. */
export function hasExpired({ terms, chainReadThrough }: PurchaseFacts): boolean {
  return chainReadThrough !== null && chainReadThrough >= terms.expiresAt
}

export function isConfirmed({ state }: ReceiptFact): boolean {
  return state === 'confirmed'
}

/** A receipt as far as it was not paid back: what there is to credit, or to owe. */
export function unspent(receipt: ReceiptFact): ReceiptFact {
  const { amount, paidBack = cryptoAmount(0n) } = receipt
  return { ...receipt, amount: greatest(cryptoAmount(0n), subtract(amount, paidBack)) }
}

/** What receipts come to, whatever their state. */
export function sum(receipts: readonly ReceiptFact[]): CryptoAmount {
  return receipts.reduce((total, { amount }) => add(total, amount), cryptoAmount(0n))
}

/** Of two marks of one instant the stricter counts: how they are sorted does not matter. */
const STRICTNESS = { released: 0, held: 1, failed: 2 }

function lastMark(marks: readonly OperatorMark[]): OperatorMark['kind'] | null {
  const sorted = marks.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() || STRICTNESS[one.kind] - STRICTNESS[other.kind],
  )
  return sorted.at(-1)?.kind ?? null
}
