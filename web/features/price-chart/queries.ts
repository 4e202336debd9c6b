import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from '#contract/endpoint.ts'
import { type chartPeriods, saleContract } from '#contract/sale.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { sortPoints } from './chart-scale.ts'

export type ChartPeriod = (typeof chartPeriods)[number]

type Chart = ResultOf<typeof saleContract.getPriceChart>

const CHARTS = ['price-chart']
const REFETCH_MS = 60_000

const chartQuery = (period: ChartPeriod) =>
  callQuery([...CHARTS, period], saleContract.getPriceChart, { query: { period } })

/** How the token's price moved within a period, oldest first, and as it moves. */
export function usePriceChart(period: ChartPeriod) {
  const queries = useQueryClient()
  useLiveEvents({
    onEvent: (event) => {
      if (event.type !== 'stage' || event.stage === null) return
      addPrice(queries, event.stage.token_price, Date.now())
    },
    onOpen: () => void queries.invalidateQueries({ queryKey: CHARTS }),
  })
  return useQuery({
    ...chartQuery(period),
    select: (reply) => sortPoints(reply.price_chart),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })
}

/**
 * Dollars for one token at the last point of the chart, for when no stage has a price; null if
 * there is no price yet, undefined while it loads.
 */
export function useLastPrice({ isEnabled }: { isEnabled: boolean }): number | null | undefined {
  const { data, isError } = useQuery({ ...chartQuery('day'), enabled: isEnabled })
  if (data === undefined) return isError ? null : undefined
  return sortPoints(data.price_chart).at(-1)?.price ?? null
}

/**
 * Appends a price from the live events to every chart, unless it has not changed. The next refetch
 * replaces it with the server's points; running fetches are restarted, since their answer may be
 * older than the event.
 */
export function addPrice(queries: QueryClient, price: number, nowMs: number): void {
  const filter = { queryKey: CHARTS }
  const isFetching = queries.isFetching(filter) > 0
  queries.setQueriesData<Chart>(filter, (chart) => {
    const last = chart?.price_chart.at(-1)
    if (chart === undefined || last?.price === price) return chart
    // The clock may be behind: points stay in the order of their dates.
    const atMs = Math.max(nowMs, last === undefined ? nowMs : Date.parse(last.date))
    const point = { date: new Date(atMs).toISOString(), price }
    return { price_chart: [...chart.price_chart, point] }
  })
  if (isFetching) void queries.invalidateQueries(filter)
}
