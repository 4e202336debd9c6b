import { invariant } from '#domain/invariant.ts'
import {
  greatest,
  price,
  type Price,
  proportion,
  subtract,
  type TokenAmount,
  tokenAmount,
  type Usd,
  usd,
  usdForUnits,
} from '#domain/money.ts'
import type { Sale, SaleHalt, Stage, StageProgress, StageStatus } from './sale.ts'

/** The state of the sale; specification section 4. */
export type SaleStatus =
  | { status: 'NOT_STARTED'; startsAt: Date }
  | { status: 'ACTIVE'; stage: Stage }
  | { status: 'PAUSED' }
  | { status: 'ENDED' }

/** Less than this much of a stage is dust: see {@link isSoldOut}. */
const DUST_LIMIT: Usd = usd(10_000n)

const UNTOUCHED: StageProgress = { reserved: tokenAmount(0n), sold: tokenAmount(0n) }

/** A stage from which nobody has bought may be missing from the map. */
export function progressOf(
  progress: ReadonlyMap<string, StageProgress>,
  stage: Stage,
): StageProgress {
  return progress.get(stage.id) ?? UNTOUCHED
}

/**
 * Whether the sale is on, and with which stage. A stage is over at its `endsAt` or once all its
 * tokens are sold; tokens reserved but not paid do not end it. After a stage that sold out before
 * its end the next one is open whatever its `startsAt`, and whatever is taken back; after one that
 * ran out of time the next waits for its own start, even if a payment settled later sells the rest
 * of the earlier stage.
 */
export function saleStatus(
  sale: Sale,
  progress: ReadonlyMap<string, StageProgress>,
  halt: SaleHalt | null,
  now: Date,
): SaleStatus {
  const next = nextStage(sale, progress, now)
  if (next === null || halt === 'closed') return { status: 'ENDED' }
  const { stage, isOpen } = next
  if (!isOpen) return { status: 'NOT_STARTED', startsAt: stage.startsAt }
  return halt === 'paused' ? { status: 'PAUSED' } : { status: 'ACTIVE', stage }
}

/**
 * The status of each stage, by the same rules as {@link saleStatus}: `ended` if it is over,
 * `active` or `paused` for the open one, and `upcoming` for all others.
 */
export function stageStatuses(
  sale: Sale,
  progress: ReadonlyMap<string, StageProgress>,
  halt: SaleHalt | null,
  now: Date,
): { stage: Stage; status: StageStatus }[] {
  const next = nextStage(sale, progress, now)
  return sale.stages.map((stage) => {
    const hasEnded = halt === 'closed' || isOver(sale, stage, progressOf(progress, stage), now)
    if (hasEnded) return { stage, status: 'ended' }
    if (next?.stage !== stage || !next.isOpen) return { stage, status: 'upcoming' }
    return { stage, status: halt ?? 'active' }
  })
}

/** The first stage that is not over, and whether it has opened; null if all are over. */
function nextStage(
  sale: Sale,
  progress: ReadonlyMap<string, StageProgress>,
  now: Date,
): { stage: Stage; isOpen: boolean } | null {
  let isHandedOver = false
  for (const stage of sale.stages) {
    if (!isOver(sale, stage, progressOf(progress, stage), now)) {
      return { stage, isOpen: isHandedOver || now >= stage.startsAt }
    }
    isHandedOver = hasSoldOutInTime(stage, progressOf(progress, stage))
  }
  return null
}

function isOver({ stages }: Sale, stage: Stage, progress: StageProgress, now: Date): boolean {
  const hasTimedOut = stage.endsAt !== null && now >= stage.endsAt
  const hasHandedOver = stage !== stages.at(-1) && hasSoldOutInTime(stage, progress)
  return hasTimedOut || hasHandedOver || isSoldOut(stage, progress)
}

/** Whether a stage sold out before its end, whatever was taken back since. */
function hasSoldOutInTime(stage: Stage, progress: StageProgress): boolean {
  const { soldOutAt } = progress
  if (!soldOutAt) return isSoldOut(stage, progress)
  return stage.endsAt === null || soldOutAt < stage.endsAt
}

/**
 * When a stage opened, or opens by its dates; null while it waits for one above it that ends only
 * by selling out.
 */
export function opensAt(
  { stages }: Sale,
  progress: ReadonlyMap<string, StageProgress>,
  stage: Stage,
): Date | null {
  const above = stages.slice(0, stages.indexOf(stage))
  const waits = above.some(
    (each) => each.endsAt === null && !hasSoldOutInTime(each, progressOf(progress, each)),
  )
  if (waits) return null
  const last = above.at(-1)
  if (last === undefined) return stage.startsAt
  const lastProgress = progressOf(progress, last)
  const handedOverAt = hasSoldOutInTime(last, lastProgress) ? lastProgress.soldOutAt : null
  return handedOverAt ?? stage.startsAt
}

/** What is left for sale right now: neither sold nor reserved. */
export function remaining(stage: Stage, progress: StageProgress): TokenAmount {
  const left = subtract(stage.supply, tokenAmount(progress.reserved + progress.sold))
  return greatest(tokenAmount(0n), left)
}

/** Whether tokens are too few to be worth a cent at the stage's price. */
export function isDust(stage: Stage, progress: StageProgress, tokens: TokenAmount): boolean {
  const value = usdForUnits(tokens, stagePrice(stage, progress.sold), stage.tokenDecimals, 'down')
  return value < DUST_LIMIT
}

/**
 * Whether a stage is over because everything is sold. A remainder worth less than one cent counts
 * as nothing. Purchases come in steps, a millionth of a dollar and its bonuses, each rounded down,
 * so a last one hardly ever takes exactly what is left. If the stage waited for somebody to buy the
 * crumbs, a stage without an end date would never end, the next would never open, and a buyer would
 * be asked for a payment that no chain carries. A cent is above every such step and below every
 * amount that is worth a network fee.
 */
export function isSoldOut(stage: Stage, progress: StageProgress): boolean {
  const unsold = greatest(tokenAmount(0n), subtract(stage.supply, progress.sold))
  return isDust(stage, progress, unsold)
}

/**
 * What a token costs once `sold` tokens of the stage are sold. In a dynamic stage the price moves
 * in a straight line from `tokenPrice` to `finalTokenPrice`, up or down, never beyond either; the
 * distance covered is rounded down.
 */
export function stagePrice(stage: Stage, sold: TokenAmount): Price {
  const { type, tokenPrice, finalTokenPrice, supply } = stage
  if (type === 'fixed') return tokenPrice
  if (sold >= supply) return finalTokenPrice
  const isRising = finalTokenPrice >= tokenPrice
  const way = isRising ? finalTokenPrice - tokenPrice : tokenPrice - finalTokenPrice
  const moved = proportion(price(way), sold, supply, 'down')
  return price(isRising ? tokenPrice + moved : tokenPrice - moved)
}

/**
 * What a token costs after the end: the sale's own final price, or else the last stage's closing
 * price, which is its `finalTokenPrice` if it sold out.
 */
export function finalPrice(sale: Sale, progress: ReadonlyMap<string, StageProgress>): Price {
  const last = sale.stages.at(-1)
  invariant(last !== undefined, 'A sale has at least one stage.')
  if (sale.finalPrice !== null) return sale.finalPrice
  const lastProgress = progressOf(progress, last)
  return isSoldOut(last, lastProgress)
    ? stagePrice(last, last.supply)
    : stagePrice(last, lastProgress.sold)
}
