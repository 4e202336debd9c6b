import { isDeepStrictEqual } from 'node:util'
import { sumBonuses, withoutFirstPurchase } from '#domain/sale/bonus.ts'
import { add, tokenAmount } from '#domain/money.ts'
import type { PurchaseFacts, ReceiptFact } from '#domain/settlement/facts.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { checkSo } from './check-so.ts'
import { expectedBonuses } from './expected-bonuses.ts'

const isOpen = ({ status }: PurchaseOutcome) => status === 'pending' || status === 'processing'
const isConfirmed = ({ state }: ReceiptFact) => state === 'confirmed'

/** Everything that must hold of a settled purchase, whatever has happened to it. */
export function checkOutcome(facts: PurchaseFacts, outcome: PurchaseOutcome): void {
  checkTokens(facts, outcome)
  checkMoney(facts, outcome)
  checkReversal(facts, outcome)
  const { terms, chainReadThrough } = facts
  checkSo(
    outcome.status !== 'expired' ||
      (chainReadThrough !== null && chainReadThrough >= terms.graceEndsAt),
    'nothing expires before the chain was read past its grace',
  )
}

/**
 * A purchase from which its buyer has withdrawn, or that a missed soft cap has undone, gives
 * nothing.
 */
function checkReversal(facts: PurchaseFacts, outcome: PurchaseOutcome): void {
  const { reversal } = facts
  if (reversal === null) return
  const { status, reason, reserved, reservationLeft, refunds } = outcome
  checkSo(
    (status === 'failed' && reason === reversal.kind) ||
      (status === 'processing' && reason === 'held'),
    'what was undone has failed, unless its money is held',
  )
  checkSo(reserved === 0n && reservationLeft === 0n, 'what was undone holds no tokens')
  const reasons = [reversal.kind, 'late', 'wrong_asset']
  checkSo(
    refunds.every(({ why }) => reasons.includes(why)),
    'what was undone says so with each refund',
  )
}

function checkTokens(facts: PurchaseFacts, outcome: PurchaseOutcome): void {
  const { terms, isFirstPurchaseBonusLost } = facts
  const { status, credited, allocations, reserved, reservationLeft, grants, due } = outcome
  const none = tokenAmount(0n)
  const allocated = add(none, ...allocations.map(({ tokens }) => tokens))
  const held = add(reservationLeft, ...grants.map(({ tokens }) => tokens))
  const locked = isFirstPurchaseBonusLost
    ? withoutFirstPurchase(terms.lockedBonuses)
    : terms.lockedBonuses

  checkSo(
    allocated === add(credited.base, sumBonuses(credited.bonuses)),
    'allocations are base and bonuses',
  )
  checkSo(
    isDeepStrictEqual(credited.bonuses, expectedBonuses(locked, credited.usd, credited.base)),
    'bonuses are those of what was really paid',
  )
  checkSo(held === reserved + allocated, 'what is held is reserved or allocated')
  checkSo(allocated > 0n === (status === 'completed'), 'tokens come with completion')
  const amounts = [reserved, due, credited.usd, credited.crypto, credited.base, reservationLeft]
  const parts = [...allocations.map(({ tokens }) => tokens), ...grants.map(({ tokens }) => tokens)]
  checkSo(
    [...amounts, ...parts].every((amount) => amount >= 0n),
    'no amount is negative',
  )
}

function checkMoney(facts: PurchaseFacts, outcome: PurchaseOutcome): void {
  const { terms, receipts } = facts
  const { credited, refunds, booked } = outcome
  const confirmed = receipts.filter(isConfirmed)
  const rightOnes = confirmed.filter(({ isRightAsset }) => isRightAsset)
  const refundOf = (id: string) => sumOf(refunds.filter(({ receiptId }) => receiptId === id))
  const refundedRight = rightOnes.reduce((sum, { id }) => sum + refundOf(id), 0n)

  checkSo(
    isOpen(outcome)
      ? refundedRight === 0n && credited.crypto === 0n
      : credited.crypto + refundedRight === sumOf(rightOnes),
    'all money is credited or owed back, once it is decided',
  )
  for (const { id, isRightAsset, amount } of confirmed) {
    const refund = refundOf(id)
    checkSo(refund <= amount && (isRightAsset || refund === amount), 'refunds fit their receipts')
  }
  checkSo(
    isDeepStrictEqual(
      booked.map(({ receiptId }) => receiptId).toSorted(),
      confirmed.map(({ id }) => id).toSorted(),
    ),
    'each confirmed receipt is booked once, and no other',
  )
  checkSo(
    new Set(refunds.map(({ receiptId }) => receiptId)).size === refunds.length,
    'each receipt is listed for refund once at most',
  )
  checkSo(
    terms.maxUsd === null || credited.usd <= terms.maxUsd,
    'no more is credited than the maximum',
  )
  // Nobody gets tokens for less than the locked price, except for the tolerated 0.5 %.
  const valueOfBase = credited.base * terms.tokenPrice * 10n ** BigInt(terms.cryptoDecimals)
  const valueOfMoney = credited.crypto * terms.cryptoPrice * 10n ** BigInt(terms.tokenDecimals)
  checkSo(valueOfBase * 995n <= valueOfMoney * 1000n, 'no token is cheaper than it was locked')
}

function sumOf(entries: readonly { amount: bigint }[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n)
}
