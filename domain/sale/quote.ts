import {
  bonusTokens,
  type BonusTokens,
  type LockedBonuses,
  mostGenerousBonuses,
  sumBonuses,
} from './bonus.ts'
import {
  add,
  ALL,
  type CryptoAmount,
  cryptoAmount,
  greatest,
  least,
  type Price,
  proportion,
  type Rounding,
  type TokenAmount,
  tokenAmount,
  unitsForUsd,
  type Usd,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import type { PaymentToken, Stage, StageProgress } from './sale.ts'
import { isDust, remaining, stagePrice } from './stage.ts'

const PAYABLE_DECIMALS_MAX = 8

/** What an amount of dollars buys now, and what has to be sent for it. */
export type Quote = {
  usd: Usd
  tokenPrice: Price
  cryptoPrice: Price
  /** Rounded up: what is sent is never worth less than what was asked for. */
  cryptoDue: CryptoAmount
  /** Rounded down. */
  base: TokenAmount
  bonuses: BonusTokens
  /** Base and bonuses: what is reserved. */
  total: TokenAmount
}

/** The quote for an amount; whether it is allowed is decided by {@link spendingLimits}. */
export function quote(request: {
  stage: Stage
  progress: StageProgress
  paymentToken: Pick<PaymentToken, 'decimals'>
  cryptoPrice: Price
  usd: Usd
  locked: LockedBonuses
}): Quote {
  const { stage, progress, paymentToken, cryptoPrice, locked } = request
  return {
    usd: request.usd,
    cryptoPrice,
    cryptoDue: payableAmount(request.usd, cryptoPrice, paymentToken.decimals),
    ...tokensFor(request.usd, stage, progress, locked),
  }
}

/** What an amount of dollars buys now, including bonuses: for previews as well as bookings. */
export function tokensFor(
  amount: Usd,
  stage: Stage,
  progress: StageProgress,
  locked: LockedBonuses,
): Pick<Quote, 'tokenPrice' | 'base' | 'bonuses' | 'total'> {
  const tokenPrice = stagePrice(stage, progress.sold)
  const base = tokenAmount(unitsForUsd(amount, tokenPrice, stage.tokenDecimals, 'down'))
  const bonuses = bonusTokens(locked, amount, base)
  return { tokenPrice, base, bonuses, total: add(base, sumBonuses(bonuses)) }
}

/**
 * What has to be sent, in a form that people and wallets can handle: at most 8 decimals, though
 * many coins have 18. Rounded up, which costs the buyer at most a thousandth of a cent for any coin
 * below a thousand dollars.
 */
function payableAmount(value: Usd, cryptoPrice: Price, decimals: number): CryptoAmount {
  const shown = Math.min(decimals, PAYABLE_DECIMALS_MAX)
  const unit = 10n ** BigInt(decimals - shown)
  return cryptoAmount(unitsForUsd(value, cryptoPrice, shown, 'up') * unit)
}

export type SpendingLimits = {
  /** The least that is accepted from any buyer. */
  min: Usd
  /** The stage's own maximum; null if it has none. */
  max: Usd | null
  /** True if so little is left that `min` was lowered to it. */
  isLastRemainder: boolean
  /** The most dollars for which there are tokens now, including this buyer's bonuses. */
  available: Usd
}

/**
 * How much a purchase may be: at least {@link ordinaryMinimum}, at most the stage's maximum. If
 * what is left is worth less than that minimum, it becomes the minimum, so that it can still be
 * bought.
 *
 * Bonuses come out of the same supply, so what the last remainder costs depends on the buyer: of
 * 100 tokens left, a buyer with 25 % of bonuses pays for 80. Such a buyer is offered `available`,
 * the purchase that takes everything. The enforced minimum must not refuse that purchase, nor shut
 * out anybody else, so it is what a buyer with every bonus of the stage would pay. A buyer who pays
 * just that without having all bonuses leaves a smaller remainder, and after a few such purchases
 * dust, which counts as sold out.
 *
 * Without `locked` (nobody is logged in), `available` fits every buyer too.
 */
export function spendingLimits(
  stage: Stage,
  progress: StageProgress,
  paymentToken: Pick<PaymentToken, 'id' | 'minUsd'>,
  locked?: LockedBonuses,
): SpendingLimits {
  const ordinary = ordinaryMinimum(stage, progress, paymentToken)
  const generous = mostGenerousBonuses(stage.bonuses, paymentToken.id)
  const fitsAll = largestPurchase(stage, progress, generous)
  const isDustLeft = isDust(stage, progress, remaining(stage, progress))
  const isLastRemainder = fitsAll < ordinary && !isDustLeft
  return {
    min: isLastRemainder ? greatest(fitsAll, priceOfOneUnit(stage, progress)) : ordinary,
    max: stage.maxUsd,
    isLastRemainder,
    available: locked === undefined ? fitsAll : largestPurchase(stage, progress, locked),
  }
}

/**
 * The least that a purchase may be while the stage has enough left: the stage's minimum, the
 * payment token's, or the price of the token's smallest unit, whichever is largest. Less than that
 * unit buys nothing, and nobody may be asked to pay for nothing.
 */
export function ordinaryMinimum(
  stage: Stage,
  progress: StageProgress,
  { minUsd }: Pick<PaymentToken, 'minUsd'>,
): Usd {
  return greatest(minUsd, stage.minUsd ?? usd(0n), priceOfOneUnit(stage, progress))
}

function priceOfOneUnit(stage: Stage, { sold }: StageProgress): Usd {
  return usdForUnits(tokenAmount(1n), stagePrice(stage, sold), stage.tokenDecimals, 'up')
}

/**
 * The purchase that takes the most of what is left of a stage, and the cheapest of those with
 * equally many tokens in its tier. Within one tier of the spending bonus more dollars never buy
 * fewer tokens, so the tiers are tried from the highest down, and the first in which anything fits
 * has the answer.
 */
function largestPurchase(stage: Stage, progress: StageProgress, locked: LockedBonuses): Usd {
  const left = remaining(stage, progress)
  const tokenPrice = stagePrice(stage, progress.sold)
  const valueOf = (base: TokenAmount, rounding: Rounding) =>
    usdForUnits(base, tokenPrice, stage.tokenDecimals, rounding)
  const baseOf = (value: Usd) =>
    tokenAmount(unitsForUsd(value, tokenPrice, stage.tokenDecimals, 'down'))
  const froms = [usd(0n), ...locked.spending.map((tier) => tier.from)]

  let ceiling: Usd | null = null
  for (const from of froms.toSorted((one, other) => (one < other ? 1 : -1))) {
    const fits = (base: TokenAmount) =>
      add(base, sumBonuses(bonusTokens(locked, from, base))) <= left
    if (fits(baseOf(from))) {
      const base = largestBase(left, locked, from, fits)
      const [cheapest, below] = [valueOf(base, 'up'), valueOf(base, 'down')]
      const most = fits(baseOf(cheapest)) ? cheapest : below
      const inTier = ceiling === null ? most : least(most, ceiling)
      return greatest(from, least(inTier, valueOf(baseOf(inTier), 'up')))
    }
    ceiling = usd(from - 1n)
  }
  return usd(0n)
}

/**
 * The most base tokens that fit with the bonuses for an amount of `reached` dollars. Rounding takes
 * less than one unit from each of at most six bonuses, so the estimate without rounding is at most
 * a few units short.
 */
function largestBase(
  left: TokenAmount,
  locked: LockedBonuses,
  reached: Usd,
  fits: (base: TokenAmount) => boolean,
): TokenAmount {
  const hundred = tokenAmount(ALL)
  const rates = sumBonuses(bonusTokens(locked, reached, hundred))
  let base = proportion(left, hundred, add(hundred, rates), 'down')
  while (fits(tokenAmount(base + 1n))) base = tokenAmount(base + 1n)
  return base
}
