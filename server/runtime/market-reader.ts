import type { Market } from '#domain/sale/sale.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { createBatcher } from './batcher.ts'
import type { LiveFeed, MarketReader } from '#server/ports/runtime.ts'

const AGE_MAX_MS = 1_000
/** Those who wait share one reading, so that the bound only limits memory. */
const WAITING_MAX = 5_000

/**
 * Caches the last reading for a second, or until a change is notified or may have been missed.
 * Simultaneous calls share one reading.
 */
export function createMarketReader(database: Database, live: LiveFeed): MarketReader {
  let last: { reading: Promise<Market>; startedAtMs: number } | null = null
  const invalidate = () => {
    last = null
  }
  live.subscribe(invalidate)
  live.onGap(invalidate)
  const readNow = createBatcher<null, Market>({
    batchMax: WAITING_MAX,
    waitingMax: WAITING_MAX,
    run: async (questions) => {
      const market = await loadMarket(database)
      return questions.map(() => market)
    },
  })
  return {
    read: () => {
      // A monotonic clock: this is no time of the sale.
      const nowMs = performance.now()
      if (last === null || nowMs - last.startedAtMs > AGE_MAX_MS) {
        const reading = loadMarket(database)
        const entry = { reading, startedAtMs: nowMs }
        last = entry
        reading.catch(() => {
          if (last === entry) last = null
        })
      }
      return last.reading
    },
    readNow: () => readNow(null),
    invalidate,
  }
}
