import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { askAgain } from '#web/lib/api/queries.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useSession, useUser } from '#web/session/session-context.tsx'

/** How often confirmations are fetched, since there are no events for them. */
const UNDER_WAY_REFETCH_MS = 30_000

/** Where the user's tokens are; it follows them live. */
export function useDeliveries() {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const queryKey = ['user', useUser()?.id, 'deliveries']
  useLiveEvents({
    onEvent: (event) => event.type === 'delivery' && askAgain(queries, queryKey),
    onOpen: () => void queries.invalidateQueries({ queryKey }),
  })
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callAs(deliveriesContract.listOwnDeliveries, {}, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((each) => each.state === 'claimed') === true
        ? UNDER_WAY_REFETCH_MS
        : false,
  })
}

/** Asks the server at this moment what is to be claimed of a distribution. */
export function useReadClaim() {
  const { callAs } = useSession()
  return async (distributionId: string) => {
    const { deliveries } = await callAs(deliveriesContract.listOwnDeliveries, {})
    const found = deliveries.find((each) => each.distribution_id === distributionId)
    return found?.state === 'published' ? found.claim : null
  }
}
