import { pricedAt, type SourcedPrice } from '#domain/sale/price.ts'
import { storeSources } from '#server/database/tables/stored-sources.ts'
import type { Database } from '#server/database/tables/tables.ts'

export async function savePrices(
  database: Database,
  prices: ReadonlyMap<string, SourcedPrice>,
  fetchedAt: Date,
): Promise<void> {
  if (prices.size === 0) return
  const rows = [...prices].map(([symbol, priced]) => ({
    symbol,
    price: priced.price,
    fetched_at: pricedAt(priced, fetchedAt),
    sources: JSON.stringify(storeSources(priced.sources)),
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
