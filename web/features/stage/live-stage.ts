import { useEffect, useState } from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Stage } from '#contract/shapes.ts'
import { dropAnswers } from '#web/lib/api/ask-again.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { finalPriceQuery, saleQuery, stagesQuery, useSale } from './queries.ts'
import { nextTransitionAt, type SaleState } from './sale-state.ts'

/**
 * The server gets this long to switch to the next stage before it is asked (specification section
 * 2).
 */
const TRANSITION_REFETCH_DELAY_MS = 1000
/**
 * A stage from the live events replaces the cached one; if there is none, the reason is fetched. A
 * running fetch is restarted, since its answer may be older than the event.
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

/** The list of all stages also follows what is sold; it is fetched if another stage is on. */
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
        ? { ...listed, current_token_price: stage.token_price, sold_tokens: stage.sold_tokens }
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

/** Refetches the stage a moment after the countdown to the sale's next change has finished. */
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
