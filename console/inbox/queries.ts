import { queryOptions } from '@tanstack/react-query'
import { consoleContract } from '#contract/operator/console.ts'
import { type InboxKind, inboxKindNames, type InboxOrder } from '#domain/operators/inbox.ts'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { callQuery } from '#web/lib/api/queries.ts'

export interface InboxFilters {
  order: InboxOrder
  kind?: InboxKind
  owner?: 'mine' | 'nobody'
}

/** The filters from the address; unknown values are ignored. */
export function readFilters(values: {
  order?: string
  kind?: string
  owner?: string
}): InboxFilters {
  const kind = inboxKindNames.find((name) => name === values.kind)
  const { owner } = values
  return {
    order: values.order === 'money' ? 'money' : 'oldest',
    ...(kind !== undefined && { kind }),
    ...((owner === 'mine' || owner === 'nobody') && { owner }),
  }
}

export const inboxQuery = (filters: InboxFilters) =>
  queryOptions({
    ...callQuery(['operator', 'inbox', filters], consoleContract.listInbox, { query: filters }),
    refetchInterval: LOOK_EVERY_MS,
  })
