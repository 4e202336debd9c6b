import { queryOptions } from '@tanstack/react-query'
import { consoleContract } from '#contract/operator/console.ts'
import { call } from '#web/lib/api/call.ts'

/** How old a figure on an open page may become. */
const REFRESH_MS = 10_000

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => call(consoleContract.getOverview, {}, { signal }),
  refetchInterval: REFRESH_MS,
})

/** What has waited longest, and how much waits. */
export const waitingQuery = queryOptions({
  queryKey: ['operator', 'inbox', 'waiting'],
  queryFn: ({ signal }) => call(consoleContract.listInbox, { query: {} }, { signal }),
  refetchInterval: REFRESH_MS,
})
