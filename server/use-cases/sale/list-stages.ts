import type { Price, TokenAmount } from '#domain/money.ts'
import type { Stage, StageStatus } from '#domain/sale/sale.ts'
import { isSoldOut, progressOf, stagePrice, stageStatuses } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/** A stage with its state so far. */
export type ListedStage = {
  stage: Stage
  status: StageStatus
  /** What a token costs after the sales so far. */
  tokenPrice: Price
  sold: TokenAmount
  isSoldOut: boolean
}

export async function listStages({
  sale,
  clock,
  market,
}: Pick<Services, 'sale' | 'clock' | 'market'>): Promise<ListedStage[]> {
  const { progress, isPaused } = await market.read()
  return stageStatuses(sale, progress, isPaused, clock.now()).map(({ stage, status }) => {
    const ofStage = progressOf(progress, stage)
    const { sold } = ofStage
    const tokenPrice = stagePrice(stage, sold)
    return { stage, status, sold, tokenPrice, isSoldOut: isSoldOut(stage, ofStage) }
  })
}
