import { type ChartPeriod, PRICE_POINTS_MAX, type PricePoint } from '#domain/sale/price.ts'
import {
  findNewestPointId,
  findPriceBefore,
  listPricePoints,
} from '#server/database/sale/price-points.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { ChartReader, Clock } from '#server/ports/runtime.ts'

const DAY_MS = 86_400_000
/** An unchanged chart still ends at the time of its reading, so it is kept no longer than this. */
const KEPT_MAX_MS = 5_000
/** Points added to it: the price at the beginning of the period, and the present one. */
const ADDED_POINTS = 2

const PERIOD_DAYS: Record<Exclude<ChartPeriod, 'all'>, number> = { day: 1, week: 7, month: 30 }

type Reading = { points: readonly PricePoint[]; newestId: bigint | null; at: Date }

/**
 * Caches the chart of each period for five seconds, or until there is a new price point. However
 * many ask at once, the reply is made only once.
 */
export function createChartReader(database: Database, clock: Clock): ChartReader {
  const kept = new Map<ChartPeriod, Reading>()
  return {
    async read(period) {
      const now = clock.now()
      const newestId = await findNewestPointId(database, now)
      const last = kept.get(period)
      const isOfNow =
        last !== undefined && Math.abs(now.getTime() - last.at.getTime()) < KEPT_MAX_MS
      if (isOfNow && last.newestId === newestId) return last.points
      const points = await loadChart(database, period, now)
      kept.set(period, { points, newestId, at: now })
      return points
    },
  }
}

/** The points of a period, between the price at its beginning and the price now. */
async function loadChart(database: Database, period: ChartPeriod, now: Date) {
  const from = period === 'all' ? null : new Date(now.getTime() - PERIOD_DAYS[period] * DAY_MS)
  const points = await listPricePoints(database, from, now, PRICE_POINTS_MAX - ADDED_POINTS)
  const before = from === null ? null : await findPriceBefore(database, from)
  const opened =
    from === null || before === null ? points : [{ at: from, price: before }, ...points]
  const last = opened.at(-1)
  return last === undefined || last.at >= now ? opened : [...opened, { ...last, at: now }]
}
