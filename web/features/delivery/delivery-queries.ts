import { useQuery } from '@tanstack/react-query'
import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { useLiveQuery, useOwnQuery } from '#web/session/own-query.ts'
import { useSession } from '#web/session/session-context.tsx'

/** How often confirmations are fetched, since there are no events for them. */
const UNDER_WAY_REFETCH_MS = 30_000

/** Where the user's tokens are; it follows them live. */
export function useDeliveries() {
  const query = useOwnQuery(['deliveries'], deliveriesContract.listOwnDeliveries, {})
  useLiveQuery(query.queryKey, ['delivery'])
  return useQuery({
    ...query,
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
