import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { call } from './call.ts'

/** The query that makes a call of the contract, and aborts it once nobody waits for the answer. */
export function callQuery<E extends Endpoint>(queryKey: QueryKey, endpoint: E, input: InputOf<E>) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => call(endpoint, input, { signal }) })
}

/**
 * Refetches all queries below a key after a change. Running fetches are restarted, since their
 * answer may be older.
 */
export function askAgain(queries: QueryClient, queryKey: QueryKey): void {
  dropAnswers(queries, queryKey)
  void queries.invalidateQueries({ queryKey })
}

/**
 * Cancels running fetches before newer data is written. Invalidating is not enough: a first answer
 * would still be awaited. Write the data after this, since cancelling reverts to the state before
 * the fetch.
 */
export function dropAnswers(queries: QueryClient, queryKey: QueryKey): void {
  void queries.cancelQueries({ queryKey, type: 'active' })
}
