import type { Market } from '#domain/sale/sale.ts'
import { readSources } from '#server/database/tables/stored-sources.ts'
import type { Database } from '#server/database/tables/tables.ts'

export async function loadMarket(database: Database): Promise<Market> {
  const [sale, counters, prices] = await Promise.all([
    database
      .selectFrom('sale')
      .select(['paused_at', 'closed_at'])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('snapshots').select('number')).as('is_frozen'),
      )
      .executeTakeFirst(),
    database
      .selectFrom('stage_counters')
      .select(['stage_id', 'reserved', 'sold', 'unpaid', 'sold_out_at'])
      .execute(),
    database.selectFrom('prices').select(['symbol', 'price', 'fetched_at', 'sources']).execute(),
  ])
  return {
    // Tokens that come back once the books are closed are not sold again.
    halt: sale?.closed_at || sale?.is_frozen ? 'closed' : sale?.paused_at ? 'paused' : null,
    progress: new Map(
      counters.map(({ stage_id, reserved, sold, unpaid, sold_out_at }) => [
        stage_id,
        { reserved, sold, unpaid, soldOutAt: sold_out_at },
      ]),
    ),
    prices: new Map(
      prices.map(({ symbol, price, fetched_at, sources }) => [
        symbol,
        { price, fetchedAt: fetched_at, sources: readSources(sources) },
      ]),
    ),
  }
}
