import { type RawBuilder, sql } from 'kysely'

import { type Price, price as priceOf } from '#domain/money.ts'
import type { PricePoint } from '#domain/sale/price.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

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

/** Removes the openings that are yet to come. */
export async function deleteComingPoints(
  transaction: DatabaseTransaction,
  now: Date,
): Promise<void> {
  await transaction.deleteFrom('price_points').where('at', '>', now).execute()
}

/** Replaces the opening of a stage that the price chart has after `now` with another instant. */
export async function moveOpening(
  transaction: DatabaseTransaction,
  { stageId, price, opensAt }: { stageId: string; price: Price; opensAt: Date },
  now: Date,
): Promise<void> {
  await transaction
    .deleteFrom('price_points')
    .where('stage_id', '=', stageId)
    .where('at', '>', now)
    .execute()
  await insertPricePoints(transaction, [{ stageId, price }], opensAt)
}

/**
 * How the token's price moved between two instants, oldest first: every point, or at most `max` (5
 * or more) if there are more. Those are the first, the last, the lowest, the highest, and between
 * them points spread over the time as evenly as possible. It reads a few times `max` rows, however
 * many there are.
 */
export async function listPricePoints(
  database: Database,
  from: Date | null,
  until: Date,
  max: number,
): Promise<PricePoint[]> {
  let query = database
    .selectFrom('price_points')
    .select(['at', 'price'])
    .where('at', '<=', until)
    .orderBy('at')
    .orderBy('id')
    .limit(max + 1)
  if (from !== null) query = query.where('at', '>=', from)
  const points = await query.execute()
  const [first] = points
  if (first === undefined || points.length <= max) return points
  return await listThinPoints(database, first.at, until, max)
}

const ENDS_AND_EXTREMES = 4

async function listThinPoints(
  database: Database,
  from: Date,
  until: Date,
  max: number,
): Promise<PricePoint[]> {
  const since = sql`${from}::timestamptz`
  const to = sql`${until}::timestamptz`
  const spread = max - ENDS_AND_EXTREMES
  const between = sql`select id, at, price from price_points where at between ${since} and ${to}`
  const { rows } = await sql<PricePoint>`
    select at, price from (
      (${between} order by at, id limit 1)
      union (${between} order by at desc, id desc limit 1)
      union (${extreme(between, since, to, sql`asc`)})
      union (${extreme(between, since, to, sql`desc`)})
      union (
        select point.id, point.at, point.price
        from generate_series(1, ${spread}::integer) as nth
        cross join lateral (
          ${between} and at >= ${since} + (${to} - ${since}) * (nth / ${spread + 1}::float8)
          order by at, id
          limit 1
        ) as point
      )
    ) as thin
    order by at, id`.execute(database)
  return rows
}

/**
 * The lowest (`asc`) or highest (`desc`) point, with one look-up for every six hours: the index
 * `price_points_by_span` orders each span by price.
 */
function extreme(
  between: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const spanOf = (at: RawBuilder<unknown>) =>
    sql`date_bin('6 hours', ${at}, '1970-01-01 00:00:00+00'::timestamptz)`
  return sql`
    select point.id, point.at, point.price
    from generate_series(${spanOf(since)}, ${to}, interval '6 hours') as span
    cross join lateral (
      ${between} and ${spanOf(sql`at`)} = span
      order by price ${order}, at ${order}, id ${order}
      limit 1
    ) as point
    order by point.price ${order}, point.at ${order}, point.id ${order}
    limit 1`
}

/** The last price point before an instant: what a token cost then. */
export async function findPriceBefore(database: Database, at: Date): Promise<Price | null> {
  const row = await database
    .selectFrom('price_points')
    .select('price')
    .where('at', '<', at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : priceOf(row.price)
}

/** The id of the newest price point at an instant; null before the first. */
export async function findNewestPointId(database: Database, at: Date): Promise<bigint | null> {
  const row = await database
    .selectFrom('price_points')
    .select('id')
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
