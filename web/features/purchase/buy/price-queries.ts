import { useEffect, useRef } from 'react'
import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { priceFromWire, usdFromWire } from '#contract/codec.ts'
import { saleContract } from '#contract/sale.ts'
import type { BonusTokens, Stage } from '#contract/shapes.ts'
import type { Price } from '#domain/money.ts'
import { boundReasons } from '#domain/refusal.ts'
import { askForOfferAgain, bonusKey, minimumsKey } from '#web/features/purchase/offer-cache.ts'
import { askAgain } from '#web/lib/api/ask-again.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { call, isRefusal } from '#web/lib/api/call.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useSession, useUser } from '#web/session/session-context.tsx'
import type { Session } from '#web/session/session.ts'

/** How often prices are refetched, but not within `PRICES_FRESH_MS` of the last answer. */
const PRICES_REFETCH_MS = 60_000
const PRICES_FRESH_MS = 6000
/** An overdue refetch, as after a time in the background, waits this long. */
const PRICES_OVERDUE_MS = 1000

const PREVIEW_DEBOUNCE_MS = 200
/** Pages that receive the same event spread their refetches over this time. */
const OFFER_SPREAD_MS = 1000
/** Reservations expire; this is for pages without live events. */
const NO_ROOM_REFETCH_MS = 10_000
/** There is no event when an unreachable chain comes back. */
const UNAVAILABLE_REFETCH_MS = 10_000

const pricesQuery = queryOptions({
  ...callQuery(['prices', 'tokens'], saleContract.getPrices, {}),
  staleTime: PRICES_FRESH_MS,
  refetchInterval: ({ state }) => {
    // The end of the fetch in progress sets the time of the next one.
    if (state.fetchStatus !== 'idle') return PRICES_REFETCH_MS
    return Math.max(PRICES_OVERDUE_MS, nextPricesMs(state) - Date.now())
  },
})

/** When prices are asked for again, counted from the last answer or failure. */
export function nextPricesMs(asked: { dataUpdatedAt: number; errorUpdatedAt: number }): number {
  return Math.max(asked.dataUpdatedAt, asked.errorUpdatedAt) + PRICES_REFETCH_MS
}

/** What one unit of each payment token costs in dollars, by its symbol. */
export function usePrices() {
  return useQuery(pricesQuery)
}

/**
 * Prices from the live events replace the cached ones. The time of the last fetch stays, or
 * frequent events would put off the next fetch for ever.
 */
export function useLivePrices(): void {
  const queries = useQueryClient()
  useLiveEvents({
    onEvent: (event) => {
      if (event.type !== 'prices') return
      const updatedAt = queries.getQueryState(pricesQuery.queryKey)?.dataUpdatedAt ?? 0
      queries.setQueryData(pricesQuery.queryKey, event.prices, { updatedAt })
    },
    onOpen: () => void queries.refetchQueries({ ...pricesQuery, type: 'active', stale: true }),
  })
}

/**
 * The least that can be spent in a payment token, nothing until it is known, that it will be known
 * soon, and that nothing can be bought with it at this moment.
 */
export function useTokenMinimum(tokenId: string | null) {
  const { data, isPending } = useQuery({
    queryKey: [...minimumsKey, tokenId],
    queryFn:
      tokenId === null
        ? skipToken
        : ({ signal }) =>
            call(saleContract.getTokenMinimum, { params: { id: tokenId } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.is_available === false ? UNAVAILABLE_REFETCH_MS : PRICES_REFETCH_MS,
  })
  return {
    minimum: {
      minUsd: usdFromWire(data?.min_amount_fiat ?? 0),
      railMinUsd: usdFromWire(data?.rail_min_amount_fiat ?? 0),
      isLastRemainder: data?.is_last_remainder === true,
    },
    isAsked: isPending && tokenId !== null,
    isUnavailable: data?.is_available === false,
  }
}

/** Refetches whatever may have changed if a purchase was refused: minimums and bonuses. */
export function useRefreshOffer() {
  const queries = useQueryClient()
  const userId = useUser()?.id
  return {
    refreshMinimums: () => askAgain(queries, minimumsKey),
    refreshOffer: () => askForOfferAgain(queries, userId),
  }
}

/**
 * Other people's reservations change what is left; the server sends that as a change of the stage,
 * at most once a second. All pages receive it at the same moment, so each refetches after its own
 * delay.
 */
export function useLiveOffer(): void {
  const queries = useQueryClient()
  const userId = useUser()?.id
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = () => {
    timer.current = undefined
    askForOfferAgain(queries, userId)
  }
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'stage') timer.current ??= setTimeout(ask, Math.random() * OFFER_SPREAD_MS)
    },
    onOpen: () => {
      void queries.invalidateQueries({ queryKey: minimumsKey })
      void queries.invalidateQueries({ queryKey: bonusKey(userId) })
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** The bonuses of a purchase, with what they were worked out for. */
interface BonusPreview {
  usdText: string
  tokenPrice: Price
  bonuses: BonusTokens
  /** Why it cannot be bought right now, in the server's words; null if it can. */
  noRoom: string | null
}

/**
 * The bonuses that a purchase of `usdText` dollars would get, fetched once the form and the stage
 * have been unchanged for 200 ms, again when a bonus begins or ends, and as often as the quote. An
 * answer to an older question is never shown, since it has another key; until the new one arrives,
 * the last one stays. Nothing is fetched if `usdText` is null. Too few tokens left, or too many
 * reserved and not paid, is an answer and not a failure.
 */
export function useBonusPreview(question: BonusQuestion) {
  const { callAs } = useSession()
  const user = useUser()
  const settled = useDebounced(question, PREVIEW_DEBOUNCE_MS, keyOf(question))
  const query = useQuery({
    queryKey: [...bonusKey(user?.id), keyOf(settled)],
    queryFn: fetchPreview(settled, callAs),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.noRoom ?? null) === null ? PRICES_REFETCH_MS : NO_ROOM_REFETCH_MS,
  })
  const isOfThis = keyOf(settled) === keyOf(question) && !query.isPlaceholderData
  return {
    preview: query.data,
    /** Whether the preview is of this question, and not still of the one before. */
    isOfThis,
    isCurrent: isOfThis && query.isSuccess,
    isFailed: query.isError && query.data === undefined,
    /** When the server last answered, by this device's clock; 0 where it has not yet. */
    answeredAt: query.dataUpdatedAt,
  }
}

/** Whether too much is reserved and not paid, by the buyer or by everybody together. */
export function isBoundRefusal(error: unknown): boolean {
  return boundReasons.some((reason) => isRefusal(error, reason))
}

interface BonusQuestion {
  tokenId: string | null
  usdText: string | null
  stage: Stage
  /** How many times a bonus has begun or ended so far. */
  boundariesPassed: number
}

/** Everything that the answer depends on. */
function keyOf({ tokenId, usdText, stage, boundariesPassed }: BonusQuestion): string {
  const { id, token_price: tokenPrice, bonuses } = stage
  return JSON.stringify([tokenId, usdText, id, tokenPrice, bonuses, boundariesPassed])
}

function fetchPreview({ tokenId, usdText, stage }: BonusQuestion, callAs: Session['callAs']) {
  if (tokenId === null || usdText === null) return skipToken
  return async ({ signal }: { signal: AbortSignal }): Promise<BonusPreview> => {
    const { token_price: tokenPrice, bonuses: offered } = stage
    const body = {
      purchase_token_id: tokenId,
      purchase_amount: Number(usdText),
      token_price: tokenPrice,
      bonuses: offered,
    }
    const asked = { usdText, tokenPrice: priceFromWire(tokenPrice) }
    try {
      const bonuses = await callAs(saleContract.calculateBonus, { body }, { signal })
      return { ...asked, bonuses, noRoom: null }
    } catch (error) {
      const isNoRoom = isRefusal(error, 'NoTokensLeft') || isBoundRefusal(error)
      if (!isNoRoom || !(error instanceof Error)) throw error
      return { ...asked, bonuses: {}, noRoom: error.message }
    }
  }
}
