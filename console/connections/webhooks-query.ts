import { connectionsContract } from '#contract/operator/connections.ts'
import { watchedQuery } from '#console/kit/loaded.tsx'

export const webhooksQuery = watchedQuery(
  ['operator', 'webhooks'],
  connectionsContract.listWebhooks,
  {},
)
