import type { Market } from '#domain/market.ts'
import { loadMarket } from './database/market.ts'
import type { Database } from './database/tables.ts'
import type { LiveFeed, MarketReader } from './services.ts'

const AGE_MAX_MS = 1_000

/**
 * Keeps the last reading for a second, or until a change is told of, and lets all who ask at the
 * same moment share one.
 */
export function createMarketReader(database: Database, live: LiveFeed): MarketReader {
  let last: { reading: Promise<Market>; startedAtMs: number } | null = null
  live.subscribe((change) => {
    if (change.kind !== 'purchase') last = null
  })
  return {
    read: () => {
      // The age is counted by a clock that never jumps; it is no instant of the sale.
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
    forget: () => {
      last = null
    },
  }
}
