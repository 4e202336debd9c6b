import { type PricePoint, thinPricePoints } from '#domain/price.ts'
import { findPriceBefore, listPricePoints } from '#server/database/price-points.ts'
import type { Services } from '#server/services.ts'

export type ChartPeriod = 'day' | 'week' | 'month' | 'all'

const DAY_MS = 86_400_000

const PERIOD_DAYS: Record<Exclude<ChartPeriod, 'all'>, number> = { day: 1, week: 7, month: 30 }

/**
 * How the token's price moved in the period up to now, oldest first. The line begins with what a
 * token cost at the beginning of the period and ends with what it costs now, so that a price that
 * has not changed is a line too.
 */
export async function getPriceChart(
  services: Services,
  period: ChartPeriod,
): Promise<readonly PricePoint[]> {
  const now = services.clock.now()
  const from = period === 'all' ? null : new Date(now.getTime() - PERIOD_DAYS[period] * DAY_MS)
  const points = await listPricePoints(services.database, from, now)
  const before = from === null ? null : await findPriceBefore(services.database, from)
  const opened =
    from === null || before === null ? points : [{ at: from, price: before }, ...points]
  const last = opened.at(-1)
  const closed = last === undefined || last.at >= now ? opened : [...opened, { ...last, at: now }]
  return thinPricePoints(closed)
}
