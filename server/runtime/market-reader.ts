import type { Market, StageProgress } from '#domain/sale/sale.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { createBatcher } from './batcher.ts'
import type { LiveFeed, MarketReader } from '#server/ports/runtime.ts'

const AGE_MAX_MS = 1_000
/** All who wait share one reading, so this bound only limits memory. */
const WAITING_MAX = 5_000

type Cached = {
  reading: Promise<Market>
  /** Null until it was read. */
  market: Market | null
  startedAtMs: number
}

/**
 * Caches the last reading for a second, or until a change is notified or may have been missed.
 * Simultaneous calls share one reading. Purchases that this instance books change it in place.
 */
export function createMarketReader(database: Database, live: LiveFeed): MarketReader {
  let last: Cached | null = null
  const invalidate = () => {
    last = null
  }
  const ownBookings = createOwnBookings()
  live.subscribe((change) => {
    if (change.kind === 'purchase' && ownBookings.isExpected(change.transactionId)) return
    invalidate()
  })
  live.onGap(() => {
    ownBookings.clear()
    invalidate()
  })
  const readNow = createBatcher<null, Market>({
    batchMax: WAITING_MAX,
    waitingMax: WAITING_MAX,
    run: async (questions) => {
      const market = await loadMarket(database)
      return questions.map(() => market)
    },
  })
  const keep = async (entry: Cached) => {
    try {
      entry.market = await entry.reading
    } catch {
      // Those who wait for it learn the reason.
      if (last === entry) last = null
    }
  }
  return {
    read: () => {
      // A monotonic clock, since this has nothing to do with the times of the sale.
      const nowMs = performance.now()
      if (last !== null && nowMs - last.startedAtMs <= AGE_MAX_MS) return last.reading
      const entry: Cached = { reading: loadMarket(database), market: null, startedAtMs: nowMs }
      last = entry
      void keep(entry)
      return entry.reading
    },
    readNow: () => readNow(null),
    invalidate,
    expectBooking: (stageId, purchaseIds) => {
      const startedAtMs = performance.now()
      ownBookings.begin(purchaseIds)
      return (progress) => {
        const known = last
        // What was read meanwhile may be older or newer than the booking.
        const market = known !== null && known.startedAtMs < startedAtMs ? known.market : null
        const isFollowed = known !== null && market !== null && progress !== null
        ownBookings.end(purchaseIds, isFollowed)
        if (!isFollowed) return invalidate()
        const changed = withProgress(market, stageId, progress)
        last = { ...known, reading: Promise.resolve(changed), market: changed }
      }
    },
  }
}

function withProgress(market: Market, stageId: string, progress: StageProgress): Market {
  const soldOutAt = market.progress.get(stageId)?.soldOutAt ?? null
  const changed = new Map(market.progress).set(stageId, { ...progress, soldOutAt })
  return { ...market, progress: changed }
}

/**
 * Purchases being booked here, and those already in the cached state whose notification is still to
 * come.
 */
function createOwnBookings() {
  const begun = new Set<string>()
  const followed = new Set<string>()
  return {
    begin: (ids: readonly string[]) => {
      for (const id of ids) begun.add(id)
    },
    end: (ids: readonly string[], isFollowed: boolean) => {
      // A purchase that was notified before is no longer here.
      for (const id of ids) if (begun.delete(id) && isFollowed) followed.add(id)
    },
    /**
     * Asked at each notification, which is the last event of a booking. It often comes before the
     * booking's own result, which then updates the cached state or drops it.
     */
    isExpected: (id: string) => begun.delete(id) || followed.delete(id),
    clear: () => {
      begun.clear()
      followed.clear()
    },
  }
}
