import type { Sale, Stage } from '#domain/sale/sale.ts'
import { isSoldOut, opensAt, progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import { insertPricePoints, moveOpening } from '#server/database/sale/price-points.ts'
import {
  type LockedCounter,
  type MovedStage,
  saveStageProgress,
} from '#server/database/sale/stage-counters.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

type Counters = ReadonlyMap<string, LockedCounter>

/** The counters, with the instant at which a stage was first sold out if that is this one. */
export function markSoldOut(
  { sale }: Services,
  counters: Counters,
  now: Date,
): ReadonlyMap<string, LockedCounter> {
  const noted = new Map(counters)
  for (const stage of sale.stages) {
    const counter = counters.get(stage.id)
    if (counter === undefined || counter.soldOutAt || !isSoldOut(stage, counter)) continue
    noted.set(stage.id, { ...counter, soldOutAt: now })
  }
  return noted
}

/**
 * Writes how settling changed the stages, and what follows for the token's price: a dynamic price
 * moves with what is sold; when a stage sells out early, the next one opens at once; and when
 * payments are taken back, the last one may open again. True if any stage's sold tokens changed.
 */
export async function moveStages(
  { sale }: Services,
  transaction: DatabaseTransaction,
  before: Counters,
  after: Counters,
  now: Date,
): Promise<boolean> {
  const moved = sale.stages.flatMap((stage): MovedStage[] => {
    const [was, is] = [before.get(stage.id), after.get(stage.id)]
    if (was === undefined || is === undefined) return []
    if (was.reserved === is.reserved && was.sold === is.sold) return []
    const { reserved, sold, soldOutAt = null } = is
    return [{ stageId: stage.id, reserved, sold, soldOutAt, tokenPrice: stagePrice(stage, sold) }]
  })
  await saveStageProgress(transaction, moved)
  const [was, is] = [stageOnSale(sale, before, now), stageOnSale(sale, after, now)]
  const opened = is !== null && is.id !== was?.id ? is : null
  // Only the stage that was on sale has a price on the chart; one that just sold out gets its last
  // price.
  const repriced = moved.filter(
    ({ stageId, tokenPrice }) =>
      stageId === was?.id && before.get(stageId)?.tokenPrice !== tokenPrice,
  )
  await insertPricePoints(
    transaction,
    repriced.map(({ stageId, tokenPrice }) => ({ stageId, price: tokenPrice })),
    now,
  )
  for (const stage of sale.stages) {
    const opening = stage === opened ? now : laterOpening(sale, before, after, stage, now)
    if (opening === null) continue
    const price = stagePrice(stage, progressOf(after, stage).sold)
    await moveOpening(transaction, { stageId: stage.id, price, opensAt: opening }, now)
  }
  return moved.some(({ stageId, sold }) => before.get(stageId)?.sold !== sold)
}

/** When a stage will open, if settling has changed that. */
function laterOpening(
  sale: Sale,
  before: Counters,
  after: Counters,
  stage: Stage,
  now: Date,
): Date | null {
  const [was, is] = [opensAt(sale, before, stage), opensAt(sale, after, stage)]
  return is !== null && is > now && is.getTime() !== was?.getTime() ? is : null
}

function stageOnSale(sale: Sale, counters: Counters, now: Date): Stage | null {
  const status = saleStatus(sale, counters, null, now)
  return status.status === 'ACTIVE' ? status.stage : null
}
