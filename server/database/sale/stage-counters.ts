import type { Price, TokenAmount } from '#domain/money.ts'
import type { Stage, StageProgress } from '#domain/sale/sale.ts'
import { isSoldOut, progressOf, stagePrice } from '#domain/sale/stage.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

export type LockedCounter = StageProgress & Pick<Stage, 'supply' | 'tokenPrice'>

/** The counters of all stages, by stage id, locked in the order in which everybody locks them. */
export async function lockStageCounters(
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<string, LockedCounter>> {
  const rows = await transaction
    .selectFrom('stage_counters')
    .selectAll()
    .orderBy('stage_id')
    .forUpdate()
    .execute()
  return new Map(
    rows.map(({ stage_id, token_price, supply, reserved, sold, sold_out_at }) => [
      stage_id,
      { supply, reserved, sold, soldOutAt: sold_out_at, tokenPrice: token_price },
    ]),
  )
}

/**
 * Writes each stage's supply, and the price that follows from it and from what is sold. A stage
 * that has tokens again no longer counts as sold out.
 */
export async function saveStageCounters(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
  progress: ReadonlyMap<string, StageProgress>,
): Promise<void> {
  await transaction
    .insertInto('stage_counters')
    .values(
      stages.map((stage) => ({
        stage_id: stage.id,
        supply: stage.supply,
        reserved: progressOf(progress, stage).reserved,
        sold: progressOf(progress, stage).sold,
        token_price: stagePrice(stage, progressOf(progress, stage).sold),
        sold_out_at: soldOutAtOf(stage, progressOf(progress, stage)),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('stage_id').doUpdateSet((row) => ({
        supply: row.ref('excluded.supply'),
        token_price: row.ref('excluded.token_price'),
        sold_out_at: row.ref('excluded.sold_out_at'),
      })),
    )
    .execute()
}

/** When a stage was sold out; null if it is not, as after a change of its supply. */
export const soldOutAtOf = (stage: Stage, progress: StageProgress): Date | null =>
  isSoldOut(stage, progress) ? (progress.soldOutAt ?? null) : null

export type MovedStage = {
  stageId: string
  reserved: TokenAmount
  sold: TokenAmount
  tokenPrice: Price
  soldOutAt: Date | null
}

export async function saveStageProgress(
  transaction: DatabaseTransaction,
  moved: readonly MovedStage[],
): Promise<void> {
  for (const { stageId, reserved, sold, tokenPrice, soldOutAt } of moved) {
    await transaction
      .updateTable('stage_counters')
      .set({ reserved, sold, token_price: tokenPrice, sold_out_at: soldOutAt })
      .where('stage_id', '=', stageId)
      .execute()
  }
}
