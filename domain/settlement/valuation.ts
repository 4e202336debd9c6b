import {
  type BonusTokens,
  bonusTokens,
  sumBonuses,
  withoutFirstPurchase,
} from '#domain/sale/bonus.ts'
import {
  add,
  type CryptoAmount,
  cryptoAmount,
  greatest,
  least,
  proportion,
  subtract,
  type TokenAmount,
  tokenAmount,
  unitsForUsd,
  type Usd,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import type { PurchaseFacts, ReceiptFact } from './facts.ts'
import type { PurchaseTerms } from '#domain/sale/sale.ts'

/** Money turned into what it buys. */
export type Credit = {
  /** What was paid at the locked price. */
  lockedCrypto: CryptoAmount
  /** What was paid at the market's price, and what that came to. */
  marketCrypto: CryptoAmount
  marketUsd: Usd
  marketBase: TokenAmount
}

export type Valuation = { usd: Usd; base: TokenAmount; bonuses: BonusTokens; total: TokenAmount }

export const NOTHING_PAID: Credit = {
  lockedCrypto: cryptoAmount(0n),
  marketCrypto: cryptoAmount(0n),
  marketUsd: usd(0n),
  marketBase: tokenAmount(0n),
}

/** Whether an amount pays for a purchase: a shortfall of at most 0.5 % counts as paid. */
export function covers(terms: PurchaseTerms, paid: CryptoAmount): boolean {
  return paid * 1000n >= terms.cryptoDue * 995n
}

/** Whether more than 1 % too much was paid. */
export function isOverpaid(terms: PurchaseTerms, paid: CryptoAmount): boolean {
  return paid * 100n > terms.cryptoDue * 101n
}

/** Whether a receipt was first seen in time; the instant at which the grace ends is in time. */
export function isOnTime(terms: PurchaseTerms, receipt: Pick<ReceiptFact, 'seenAt'>): boolean {
  return receipt.seenAt <= terms.graceEndsAt
}

/** What receipts would be worth if supply and the stage's maximum did not matter. */
export function valueOf(facts: PurchaseFacts, receipts: readonly ReceiptFact[]): Valuation {
  const credit = receipts.reduce(
    (sum, receipt) => plus(facts.terms, sum, receipt, buyableAmount(facts.terms, sum, receipt)),
    NOTHING_PAID,
  )
  return valuationOf(facts, credit)
}

/** What credited money buys, with the bonuses that were locked. */
export function valuationOf(facts: PurchaseFacts, credit: Credit): Valuation {
  const { terms } = facts
  const lockedUsd = lockedValue(terms, credit.lockedCrypto)
  const paidUsd = add(lockedUsd, credit.marketUsd)
  const lockedBase = unitsForUsd(lockedUsd, terms.tokenPrice, terms.tokenDecimals, 'down')
  const base = add(tokenAmount(lockedBase), credit.marketBase)
  const locked = facts.isFirstPurchaseBonusLost
    ? withoutFirstPurchase(terms.lockedBonuses)
    : terms.lockedBonuses
  const bonuses = bonusTokens(locked, paidUsd, base)
  return { usd: paidUsd, base, bonuses, total: add(base, sumBonuses(bonuses)) }
}

/**
 * Dollars for money at the locked price: the amount due is worth exactly the quote, although it was
 * rounded up; less is worth its share, and an excess is worth its price in addition.
 */
function lockedValue(terms: PurchaseTerms, paid: CryptoAmount): Usd {
  const { cryptoDue, cryptoPrice, cryptoDecimals } = terms
  if (paid > cryptoDue) {
    const surplus = usdForUnits(subtract(paid, cryptoDue), cryptoPrice, cryptoDecimals, 'down')
    return add(terms.usd, surplus)
  }
  return covers(terms, paid) ? terms.usd : proportion(terms.usd, paid, cryptoDue, 'down')
}

/**
 * How much of a receipt is still within the amount due and the 1 % above it, at the locked price.
 */
function lockedPart(terms: PurchaseTerms, before: Credit, receipt: ReceiptFact): CryptoAmount {
  if (!isOnTime(terms, receipt)) return cryptoAmount(0n)
  const limit = cryptoAmount((terms.cryptoDue * 101n) / 100n)
  const room = greatest(cryptoAmount(0n), subtract(limit, before.lockedCrypto))
  return least(receipt.amount, room)
}

/** How much it takes to complete the amount due, if a receipt is credited at the locked price. */
export function quotedPart(
  terms: PurchaseTerms,
  before: Credit,
  receipt: ReceiptFact,
): CryptoAmount {
  const { market } = receipt
  const isAtLocked = isOnTime(terms, receipt) || (market !== null && isLockedWorse(terms, market))
  const missing = subtract(terms.cryptoDue, before.lockedCrypto)
  return isAtLocked ? greatest(cryptoAmount(0n), missing) : cryptoAmount(0n)
}

/** How much of a receipt may buy: without a market, only what the locked price was promised for. */
export function buyableAmount(
  terms: PurchaseTerms,
  before: Credit,
  receipt: ReceiptFact,
): CryptoAmount {
  return receipt.market === null ? lockedPart(terms, before, receipt) : receipt.amount
}

/**
 * Adds an amount of a receipt: at the locked price as far as that was promised, otherwise at the
 * worse one.
 */
export function plus(
  terms: PurchaseTerms,
  before: Credit,
  receipt: ReceiptFact,
  amount: CryptoAmount,
): Credit {
  const { market } = receipt
  const atLocked = least(amount, lockedPart(terms, before, receipt))
  const rest = subtract(amount, atLocked)
  if (market === null || isLockedWorse(terms, market)) {
    return { ...before, lockedCrypto: add(before.lockedCrypto, amount) }
  }
  const restUsd = usdForUnits(rest, market.cryptoPrice, terms.cryptoDecimals, 'down')
  const base = unitsForUsd(restUsd, market.tokenPrice, terms.tokenDecimals, 'down')
  return {
    lockedCrypto: add(before.lockedCrypto, atLocked),
    marketCrypto: add(before.marketCrypto, rest),
    marketUsd: add(before.marketUsd, restUsd),
    marketBase: add(before.marketBase, tokenAmount(base)),
  }
}

/** Whether the locked prices give fewer tokens for a coin than the market's, or as many. */
function isLockedWorse(terms: PurchaseTerms, market: NonNullable<ReceiptFact['market']>): boolean {
  return terms.cryptoPrice * market.tokenPrice <= market.cryptoPrice * terms.tokenPrice
}
