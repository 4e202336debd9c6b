import { useEffect, useState } from 'react'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Stage } from '#contract/shapes.ts'
import { dropAnswers } from '#web/lib/api/ask-again.ts'
import { call } from '#web/lib/api/call.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import {
  saleStateOf,
  type SaleState,
  nextTransitionAt,
  stagesMoveOnAt,
  statusByStages,
} from './sale-state.ts'

/**
 * The server gets this long to switch to the next stage before it is asked (specification section
 * 2).
 */
const TRANSITION_REFETCH_DELAY_MS = 1000
/** How often it is asked whether the sale has moved on, where only that is awaited. */
const OVERDUE_REFETCH_MS = 5000
const PAUSED_REFETCH_MS = 30_000
/** As often as prices are (specification section 9). */
const STAGES_REFETCH_MS = 60_000

/** The stage on sale. That there is none, and why, is an answer and not a failure. */
export const saleQuery = queryOptions({
  queryKey: ['stages', 'active'],
  queryFn: async ({ signal }): Promise<SaleState> => {
    try {
      const stage = await call(saleContract.getActiveStage, {}, { signal })
      return { status: 'ACTIVE', stage }
    } catch (error) {
      const state = saleStateOf(error)
      if (state === null) throw error
      return state
    }
  },
  refetchInterval: ({ state }) => refetchMs(state.data, Date.now()),
})

/** Live events report changes; this is for pages without them, and for clocks that differ. */
function refetchMs(sale: SaleState | undefined, nowMs: number): number | false {
  if (sale?.status === 'PAUSED') return PAUSED_REFETCH_MS
  const nextAt = nextTransitionAt(sale)
  return nextAt !== null && new Date(nextAt).getTime() <= nowMs ? OVERDUE_REFETCH_MS : false
}

const finalPriceQuery = queryOptions({
  queryKey: ['prices', 'final'],
  queryFn: ({ signal }) => call(saleContract.getFinalPrice, {}, { signal }),
})

/** Every stage in order, with what is sold; part of the seed of a page. */
export const stagesQuery = queryOptions({
  queryKey: ['stages', 'all'],
  queryFn: ({ signal }) => call(saleContract.listStages, {}, { signal }),
  refetchInterval: ({ state }) => stagesRefetchMs(state.data ?? [], Date.now()),
})

/** Visitors have no live events, and what they read as the price of now must be one. */
function stagesRefetchMs(stages: readonly ListedStage[], nowMs: number): number | false {
  if (statusByStages(stages) === 'ENDED') return false
  const nextAt = stagesMoveOnAt(stages)
  const isOverdue = nextAt !== null && new Date(nextAt).getTime() <= nowMs
  return isOverdue ? OVERDUE_REFETCH_MS : STAGES_REFETCH_MS
}

export function useStages() {
  return useQuery(stagesQuery)
}

export function useSale() {
  return useQuery(saleQuery)
}

/**
 * The status of the sale without asking for it: as the stages of the page's seed say, until the
 * stage on sale is known. Null where neither is.
 */
export function useSaleStatus(): SaleState['status'] | null {
  const { data: sale } = useQuery({ ...saleQuery, enabled: false })
  const { data: stages } = useStages()
  return sale?.status ?? statusByStages(stages ?? [])
}

/** The final price, asked for once the sale has ended. */
export function useFinalPrice() {
  const isEnded = useSale().data?.status === 'ENDED'
  return useQuery({ ...finalPriceQuery, enabled: isEnded })
}

/**
 * What a token costs in dollars: the stage's price, after the end the final one (specification
 * section 4). Null where it is not known.
 */
export function useTokenPrice(): number | null {
  const { data: sale } = useSale()
  const { data: final } = useFinalPrice()
  if (sale?.status === 'ACTIVE') return sale.stage.token_price
  return sale?.status === 'ENDED' ? (final?.final_price ?? null) : null
}

/**
 * A stage from the live events replaces the cached one; where there is none, the reason is fetched.
 * A running fetch is restarted, as its answer may be older than the event.
 */
export function applyStage(queries: QueryClient, stage: Stage | null): void {
  const { queryKey } = saleQuery
  const isFetching = queries.isFetching({ queryKey }) > 0
  if (isFetching) dropAnswers(queries, queryKey)
  if (stage !== null) {
    const sale: SaleState = { status: 'ACTIVE', stage }
    queries.setQueryData<SaleState>(queryKey, sale)
  }
  applyToList(queries, stage)
  if (stage === null || isFetching) void queries.invalidateQueries({ queryKey })
  if (stage === null) void queries.invalidateQueries({ queryKey: finalPriceQuery.queryKey })
}

/** What is sold moves on in the list of all stages too; it is fetched where another one is on. */
function applyToList(queries: QueryClient, stage: Stage | null) {
  const { queryKey } = stagesQuery
  const isListed = ({ id, status }: ListedStage) => id === stage?.id && status === 'active'
  const isSame = stage !== null && queries.getQueryData(queryKey)?.some(isListed)
  if (!isSame) {
    void queries.invalidateQueries({ queryKey })
    return
  }
  queries.setQueryData(queryKey, (stages) =>
    stages?.map((listed) =>
      listed.id === stage.id
        ? {
            ...listed,
            current_token_price: stage.token_price,
            sold_tokens: stage.sold_tokens,
          }
        : listed,
    ),
  )
}

/** Keeps the stage up to date on every page, while somebody is logged in. */
export function useLiveStage(): void {
  const queries = useQueryClient()
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'stage') applyStage(queries, event.stage)
    },
    onOpen: () => {
      void queries.invalidateQueries({ queryKey: saleQuery.queryKey })
      void queries.invalidateQueries({ queryKey: stagesQuery.queryKey })
    },
  })
  useNextTransition()
}

/** Asks for the stage a moment after the countdown to where the sale moves on has finished. */
function useNextTransition(): void {
  const { data: sale, refetch } = useSale()
  const nextAt = nextTransitionAt(sale)
  const [reached, setReached] = useState<string | null>(null)
  useCountdown(nextAt, () => setReached(nextAt))
  useEffect(() => {
    if (reached === null) return
    const timer = setTimeout(() => void refetch(), TRANSITION_REFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [reached, refetch])
}
