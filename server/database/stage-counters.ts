import type { Price, TokenAmount } from '#domain/money.ts'
import type { DatabaseTransaction } from './tables.ts'

export type MovedStage = {
  stageId: string
  reserved: TokenAmount
  sold: TokenAmount
  tokenPrice: Price
  soldOutAt: Date | null
}

/** Writes how far locked stages have come. */
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

/** Puts the opening of a stage on the price chart at an instant, in place of a later one. */
export async function moveOpening(
  transaction: DatabaseTransaction,
  stageId: string,
  price: Price,
  at: Date,
): Promise<void> {
  await transaction
    .deleteFrom('price_points')
    .where('stage_id', '=', stageId)
    .where('at', '>', at)
    .execute()
  await transaction.insertInto('price_points').values({ stage_id: stageId, price, at }).execute()
}
