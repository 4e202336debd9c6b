import {
  ALL,
  add,
  greatest,
  least,
  multiplyDivide,
  type Percentage,
  type Price,
  subtract,
  type TokenAmount,
  tokenAmount,
  unitsForUsd,
  type Usd,
  usd,
} from '#domain/money.ts'
import type { Sale, Stage, StageProgress } from './sale.ts'
import { remaining, stagePrice } from './stage.ts'

/** How much may be reserved without a payment. */
export type ReservationBounds = {
  /** Purchases of one user. */
  openPerUserMax: number
  /** Dollars of one user; null if there is no bound. */
  worthPerUserMax: Usd | null
  /** Dollars of everybody who buys through one connection; null if there is no bound. */
  worthPerConnectionMax: Usd | null
  /** The share of what is left of the stage, for everybody together. */
  unpaidShare: Percentage
  /** Dollars that everybody together may always have unpaid, whatever the share. */
  shareMin: Usd
}

const CONNECTION_TO_USER = 10n
/** If it were one, a stranger's smallest purchase would block the last remainder for everybody. */
const SHARE_MIN_PURCHASES = 10n

/**
 * The bounds of a stage. One user may have as much unpaid as the stage's largest purchase, and one
 * connection ten times that, unless the sale says otherwise; a stage without a largest purchase has
 * neither of these bounds by default. Everybody's share together is never less than ten of the
 * smallest purchases, in the payment token for which these are largest.
 */
export function reservationBounds(
  { purchases, paymentTokens }: Pick<Sale, 'purchases' | 'paymentTokens'>,
  { minUsd, maxUsd }: Pick<Stage, 'minUsd' | 'maxUsd'>,
): ReservationBounds {
  const worthPerUserMax = purchases.openWorthPerUser ?? maxUsd
  const minimums = paymentTokens.flatMap((token) => (token.isEnabled ? token.minUsd : []))
  const smallest = greatest(minUsd ?? usd(0n), ...minimums)
  const tenTimes = worthPerUserMax === null ? null : usd(worthPerUserMax * CONNECTION_TO_USER)
  return {
    openPerUserMax: purchases.openPerUserMax,
    worthPerUserMax,
    worthPerConnectionMax: purchases.openWorthPerConnection ?? tenTimes,
    unpaidShare: purchases.unpaidShare,
    shareMin: usd(smallest * SHARE_MIN_PURCHASES),
  }
}

/** The least that everybody together may always have unpaid, in tokens. */
export function shareMinTokens(
  { shareMin }: Pick<ReservationBounds, 'shareMin'>,
  tokenPrice: Price,
  tokenDecimals: number,
): TokenAmount {
  return tokenAmount(unitsForUsd(shareMin, tokenPrice, tokenDecimals, 'down'))
}

/** What is reserved and not paid, as far as it concerns one buyer. */
export type Unpaid = {
  openCount: number
  /** The buyer's, in any stage. */
  usd: Usd
  /** The buyer's, in the stage on sale. */
  tokens: TokenAmount
  /** How many purchases ended unpaid since the buyer last paid for one, and when the last did. */
  lapses: number
  lapsedAt: Date | null
  /** Everybody's who buys through the buyer's connection. */
  connectionUsd: Usd
}

export const NOTHING_UNPAID: Unpaid = {
  openCount: 0,
  usd: usd(0n),
  tokens: tokenAmount(0n),
  lapses: 0,
  lapsedAt: null,
  connectionUsd: usd(0n),
}

/** The bound that a purchase would break. */
export type BrokenBound = 'open' | 'lapsed' | 'user' | 'connection' | 'share'

/** The first bound that a purchase would break; null if none. Booking decides the same, in SQL. */
export function brokenBound(
  request: { usd: Usd; tokens: TokenAmount; now: Date; expireAfterMs: number },
  { stage, progress }: { stage: Stage; progress: StageProgress },
  bounds: ReservationBounds,
  unpaid: Unpaid,
): BrokenBound | null {
  const isOver = (open: Usd, max: Usd | null) => max !== null && open + request.usd > max
  if (unpaid.openCount >= openMax(bounds, unpaid)) return 'open'
  const free = waitsUntil(unpaid, request.expireAfterMs)
  if (free !== null && request.now < free) return 'lapsed'
  if (isOver(unpaid.usd, bounds.worthPerUserMax)) return 'user'
  if (isOver(unpaid.connectionUsd, bounds.worthPerConnectionMax)) return 'connection'
  const isAlone = unpaidOf(progress) <= unpaid.tokens
  return isAlone || request.tokens <= shareLeft(stage, progress, bounds) ? null : 'share'
}

/** How many purchases a buyer may have open: half as many after each one that ended unpaid. */
export function openMax(
  { openPerUserMax }: Pick<ReservationBounds, 'openPerUserMax'>,
  { lapses }: Pick<Unpaid, 'lapses'>,
): number {
  return Math.max(1, openPerUserMax >> Math.min(lapses, 10))
}

const LAPSES_WITHOUT_WAIT = 2
const WAIT_MAX_MS = 24 * 60 * 60_000

/**
 * When a buyer who leaves one purchase after another unpaid may make the next; null if they need
 * not wait. Once or twice can happen to anybody. From the third on the wait is as long as purchases
 * hold their tokens, and as long again with each further one, up to a day.
 */
export function waitsUntil({ lapses, lapsedAt }: Unpaid, expireAfterMs: number): Date | null {
  const counted = lapses - LAPSES_WITHOUT_WAIT
  if (counted <= 0 || lapsedAt === null) return null
  return new Date(lapsedAt.getTime() + Math.min(counted * expireAfterMs, WAIT_MAX_MS))
}

/** The tokens that can be reserved before everything unpaid reaches its share of what is left. */
export function shareLeft(
  stage: Stage,
  progress: StageProgress,
  bounds: Pick<ReservationBounds, 'unpaidShare' | 'shareMin'>,
): TokenAmount {
  const unpaid = unpaidOf(progress)
  const left = add(remaining(stage, progress), unpaid)
  const share = tokenAmount(multiplyDivide(left, bounds.unpaidShare, ALL, 'down'))
  const min = shareMinTokens(bounds, stagePrice(stage, progress.sold), stage.tokenDecimals)
  const most = least(left, greatest(share, min))
  return most > unpaid ? subtract(most, unpaid) : tokenAmount(0n)
}

const unpaidOf = ({ unpaid }: StageProgress) => unpaid ?? tokenAmount(0n)
