import type { Sale } from '#domain/sale.ts'
import { saleStatus, stagePrice } from '#domain/stage.ts'
import { insertPricePoints, type LockedCounter } from '#server/database/applied-sale.ts'
import { type MovedStage, moveOpening, saveStageProgress } from '#server/database/stage-counters.ts'
import type { DatabaseTransaction } from '#server/database/tables.ts'
import type { Services } from '#server/services.ts'

type Counters = ReadonlyMap<string, LockedCounter>

/**
 * Writes what settling changed of the stages, and what follows for the token's price: a dynamic one
 * moves with what is sold, and when a stage sells out early the next one opens at once. True where
 * any stage's sold tokens changed.
 */
export async function moveStages(
  { sale }: Pick<Services, 'sale'>,
  transaction: DatabaseTransaction,
  before: Counters,
  after: Counters,
  now: Date,
): Promise<boolean> {
  const moved = sale.stages.flatMap((stage): MovedStage[] => {
    const [was, is] = [before.get(stage.id), after.get(stage.id)]
    if (was === undefined || is === undefined) return []
    if (was.reserved === is.reserved && was.sold === is.sold) return []
    const { reserved, sold } = is
    return [{ stageId: stage.id, reserved, sold, tokenPrice: stagePrice(stage, sold) }]
  })
  await saveStageProgress(transaction, moved)
  const repriced = moved.filter(
    ({ stageId, tokenPrice }) => before.get(stageId)?.tokenPrice !== tokenPrice,
  )
  await insertPricePoints(
    transaction,
    repriced.map(({ stageId, tokenPrice }) => ({ stageId, price: tokenPrice })),
    now,
  )
  const opened = openedEarly(sale, before, after, now)
  if (opened !== null) await moveOpening(transaction, opened.id, opened.tokenPrice, now)
  return moved.some(({ stageId, sold }) => before.get(stageId)?.sold !== sold)
}

/** The stage that is on sale only because the one before it has just sold out. */
function openedEarly(sale: Sale, before: Counters, after: Counters, now: Date) {
  const [was, is] = [saleStatus(sale, before, false, now), saleStatus(sale, after, false, now)]
  if (is.status !== 'ACTIVE' || is.stage.startsAt <= now) return null
  return was.status === 'ACTIVE' && was.stage.id === is.stage.id ? null : is.stage
}
