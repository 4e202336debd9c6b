import { type Price, price as priceOf } from '#domain/money.ts'
import type { PricePoint } from '#domain/price.ts'
import type { Stage } from '#domain/sale.ts'
import type { Database, DatabaseTransaction } from './tables.ts'

/** Adds points to the price chart. */
export async function insertPricePoints(
  transaction: DatabaseTransaction,
  points: readonly { stageId: string; price: Price }[],
  at: Date,
): Promise<void> {
  if (points.length === 0) return
  await transaction
    .insertInto('price_points')
    .values(points.map(({ stageId, price }) => ({ stage_id: stageId, price, at })))
    .execute()
}

/** Replaces the points of stages that nobody has bought from by one at their opening. */
export async function saveOpeningPricePoints(
  transaction: DatabaseTransaction,
  stages: readonly Stage[],
): Promise<void> {
  if (stages.length === 0) return
  const ids = stages.map(({ id }) => id)
  await transaction.deleteFrom('price_points').where('stage_id', 'in', ids).execute()
  await transaction
    .insertInto('price_points')
    .values(
      stages.map(({ id, tokenPrice, startsAt }) => ({
        stage_id: id,
        price: tokenPrice,
        at: startsAt,
      })),
    )
    .execute()
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

/** How the token's price moved between two instants, oldest first. */
export async function listPricePoints(
  database: Database,
  from: Date | null,
  until: Date,
): Promise<PricePoint[]> {
  let query = database
    .selectFrom('price_points')
    .select(['at', 'price'])
    .where('at', '<=', until)
    .orderBy('at')
    .orderBy('id')
  if (from !== null) query = query.where('at', '>=', from)
  return await query.execute()
}

/** The last price point before an instant: what a token cost then. */
export async function findPriceBefore(database: Database, at: Date): Promise<Price | null> {
  const row = await database
    .selectFrom('price_points')
    .select('price')
    .where('at', '<', at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row === undefined ? null : priceOf(row.price)
}
