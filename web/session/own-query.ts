import { type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import type { LiveEvent } from '#contract/transactions.ts'
import { askAgain } from '#web/lib/api/ask-again.ts'
import { useLiveEvents } from './live-events.tsx'
import { useSession, useUser } from './session-context.tsx'

/**
 * The query that makes a call as the logged-in user. Its key is below their id, so that nobody sees
 * what was cached for the previous user.
 */
export function useOwnQuery<E extends Endpoint>(below: QueryKey, endpoint: E, input: InputOf<E>) {
  const { callAs } = useSession()
  return queryOptions({
    queryKey: ['user', useUser()?.id, ...below],
    queryFn: ({ signal }) => callAs(endpoint, input, { signal }),
  })
}

/** Refetches the queries below a key at each event of these types, and after a gap. */
export function useLiveQuery(queryKey: QueryKey, types: readonly LiveEvent['type'][]): void {
  const queries = useQueryClient()
  useLiveEvents({
    onEvent: ({ type }) => types.includes(type) && askAgain(queries, queryKey),
    onOpen: () => void queries.invalidateQueries({ queryKey }),
  })
}
