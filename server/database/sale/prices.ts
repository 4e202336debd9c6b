import type { SourcedPrice } from '#domain/sale/price.ts'
import { storeSources } from '#server/database/tables/stored-sources.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A price is as old as its oldest source, or as the fetch if it has none. */
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
