import { queryOptions, useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { call } from '#web/lib/api/call.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import {
  saleStateOf,
  type SaleState,
  nextTransitionAt,
  stagesMoveOnAt,
  statusByStages,
} from './sale-state.ts'

/** How often it is checked whether the sale has moved on, if only that is awaited. */
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
  refetchInterval: ({ state }) => refetchMs(state.data),
})

/** Live events report changes; this is for pages without them, and for clocks that differ. */
function refetchMs(sale: SaleState | undefined): number | false {
  if (sale?.status === 'PAUSED') return PAUSED_REFETCH_MS
  return isOverdue(nextTransitionAt(sale)) && OVERDUE_REFETCH_MS
}

const isOverdue = (at: string | null) => at !== null && onThisClock(at) <= Date.now()

export const finalPriceQuery = callQuery(['prices', 'final'], saleContract.getFinalPrice, {})

/** Every stage in order, with what is sold; part of the seed of a page. */
export const stagesQuery = queryOptions({
  ...callQuery(['stages', 'all'], saleContract.listStages, {}),
  refetchInterval: ({ state }) => stagesRefetchMs(state.data ?? []),
})

/** Visitors have no live events, and what they read as the present price must be right. */
function stagesRefetchMs(stages: readonly ListedStage[]): number | false {
  if (statusByStages(stages) === 'ENDED') return false
  return isOverdue(stagesMoveOnAt(stages)) ? OVERDUE_REFETCH_MS : STAGES_REFETCH_MS
}

export function useStages() {
  return useQuery(stagesQuery)
}

export function useSale() {
  return useQuery(saleQuery)
}

/**
 * The status of the sale without fetching it: as the stages in the page's seed say, until the stage
 * on sale is known. Null if neither is.
 */
export function useSaleStatus(): SaleState['status'] | null {
  const { data: sale } = useQuery({ ...saleQuery, enabled: false })
  const { data: stages } = useStages()
  return sale?.status ?? statusByStages(stages ?? [])
}

/**
 * The stage on sale according to the page's seed, or else the last one: while the real one is
 * loading, the words and figures of this one keep the room for it.
 */
export function useExpectedStage(): ListedStage | undefined {
  const { data: stages = [] } = useStages()
  return stages.find(({ status }) => status === 'active') ?? stages.at(-1)
}

/** The final price, asked for once the sale has ended. */
export function useFinalPrice() {
  const isEnded = useSale().data?.status === 'ENDED'
  return useQuery({ ...finalPriceQuery, enabled: isEnded })
}

/**
 * What a token costs in dollars: the stage's price, after the end the final one (specification
 * section 4). Null if it is not known.
 */
export function useTokenPrice(): number | null {
  const { data: sale } = useSale()
  const { data: final } = useFinalPrice()
  if (sale?.status === 'ACTIVE') return sale.stage.token_price
  return sale?.status === 'ENDED' ? (final?.final_price ?? null) : null
}
