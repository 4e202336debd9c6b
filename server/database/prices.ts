import { type Price, price as priceOf } from '#domain/money.ts'
import type { SourcedPrice } from '#domain/price-quorum.ts'
import type { PricePoint } from '#domain/price.ts'
import { storeSources } from './stored-sources.ts'
import type { Database } from './tables.ts'

/** A price is as old as the oldest of its sources; without any it is as old as the fetching. */
export async function savePrices(
  database: Database,
  prices: ReadonlyMap<string, SourcedPrice>,
  fetchedAt: Date,
): Promise<void> {
  if (prices.size === 0) return
  const rows = [...prices].map(([symbol, { price, sources }]) => ({
    symbol,
    price,
    fetched_at: new Date(Math.min(+fetchedAt, ...sources.map(({ at }) => +at))),
    sources: JSON.stringify(storeSources(sources)),
  }))
  await database
    .insertInto('prices')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('symbol').doUpdateSet((excluded) => ({
        price: excluded.ref('excluded.price'),
        fetched_at: excluded.ref('excluded.fetched_at'),
        sources: excluded.ref('excluded.sources'),
      })),
    )
    .execute()
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
