import { queryOptions } from '@tanstack/react-query'
import { consoleContract } from '#contract/operator/console.ts'
import { LOOK_EVERY_MS } from '#console/kit/look-every.ts'
import { call } from '#web/lib/api/call.ts'

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => call(consoleContract.getOverview, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})

/** What has waited longest, and how much waits. */
export const waitingQuery = queryOptions({
  queryKey: ['operator', 'inbox', 'waiting'],
  queryFn: ({ signal }) => call(consoleContract.listInbox, { query: {} }, { signal }),
  refetchInterval: LOOK_EVERY_MS,
})
