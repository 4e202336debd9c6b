import type { QueryClient, QueryKey } from '@tanstack/react-query'

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
