import { queryOptions } from '@tanstack/react-query'
import { connectionsContract } from '#contract/operator/connections.ts'
import { LOOK_EVERY_MS } from '#console/kit/look-every.ts'
import { call } from '#web/lib/api/call.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['operator', 'webhooks'],
  queryFn: ({ signal }) => call(connectionsContract.listWebhooks, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})
