import { queryOptions } from '@tanstack/react-query'
import { connectionsContract } from '#contract/operator/connections.ts'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { callQuery } from '#web/lib/api/call-query.ts'

export const webhooksQuery = queryOptions({
  ...callQuery(['operator', 'webhooks'], connectionsContract.listWebhooks, {}),
  refetchInterval: LOOK_EVERY_MS,
})
