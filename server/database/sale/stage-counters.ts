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
 * How far the stages of a sale file are. One that it shrinks to what is sold is sold out by that,
 * and one that it gives more tokens may be on sale again.
 */
export function progressUnder(
  stages: readonly Stage[],
  counters: ReadonlyMap<string, LockedCounter>,
  now: Date,
): ReadonlyMap<string, StageProgress> {
  return new Map(
    stages.map((stage) => {
      const counter = counters.get(stage.id)
      const progress = progressOf(counters, stage)
      const { soldOutAt = null } = progress
      if (isSoldOut(stage, progress))
        return [stage.id, { ...progress, soldOutAt: soldOutAt ?? now }]
      const hasMore = counter !== undefined && stage.supply > counter.supply
      return [stage.id, { ...progress, soldOutAt: hasMore ? null : soldOutAt }]
    }),
  )
}

/** Writes each stage's supply, and the price that follows from it and from what is sold. */
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
        sold_out_at: progressOf(progress, stage).soldOutAt ?? null,
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
