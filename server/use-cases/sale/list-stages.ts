import { isSoldOut, progressOf, stagePrice, stageStatuses } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

export type ListedStage = Awaited<ReturnType<typeof listStages>>[number]

/** The stages with their state so far, each with what a token costs after the sales so far. */
export async function listStages({ sale, clock, market }: Services) {
  const { progress, halt } = await market.read()
  return stageStatuses(sale, progress, halt, clock.now()).map(({ stage, status }) => {
    const ofStage = progressOf(progress, stage)
    const { sold } = ofStage
    const tokenPrice = stagePrice(stage, sold)
    return { stage, status, sold, tokenPrice, isSoldOut: isSoldOut(stage, ofStage) }
  })
}
