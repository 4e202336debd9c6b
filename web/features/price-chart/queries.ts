import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type chartPeriods, saleContract } from '#contract/sale.ts'
import { call } from '#web/lib/call.ts'
import { sortPoints } from './chart-scale.ts'

export type ChartPeriod = (typeof chartPeriods)[number]

const REFETCH_MS = 60_000

/** How the token's price moved within a period, oldest first. */
export function usePriceChart(period: ChartPeriod) {
  return useQuery({
    queryKey: ['price-chart', period],
    queryFn: ({ signal }) => call(saleContract.getPriceChart, { query: { period } }, { signal }),
    select: (reply) => sortPoints(reply.price_chart),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })
}
