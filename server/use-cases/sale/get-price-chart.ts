import type { ChartPeriod, PricePoint } from '#domain/sale/price.ts'
import type { Services } from '#server/services.ts'

/**
 * How the token's price moved in the period up to now, oldest first. The line begins with what a
 * token cost at the beginning of the period and ends with what it costs now, so that a price that
 * has not changed is a line too.
 */
export async function getPriceChart(
  { chart }: Pick<Services, 'chart'>,
  period: ChartPeriod,
): Promise<readonly PricePoint[]> {
  return await chart.read(period)
}
