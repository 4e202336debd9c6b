import { queryOptions } from '@tanstack/react-query'
import { connectionsContract } from '#contract/operator/connections.ts'
import { call } from '#web/lib/api/call.ts'

/** How often deliveries in progress are fetched again. */
export const REFRESHED_MS = 10_000

/** All endpoints, with their state. */
export const webhooksQuery = queryOptions({
  queryKey: ['operator', 'webhooks'],
  queryFn: ({ signal }) => call(connectionsContract.listWebhooks, {}, { signal }),
  refetchInterval: REFRESHED_MS,
})
