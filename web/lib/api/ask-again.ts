import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks again for all below a key, after what has changed their answers. What is on its way to the
 * page is not kept, as it may be from before.
 */
export function askAgain(queries: QueryClient, queryKey: QueryKey): void {
  dropAnswers(queries, queryKey)
  void queries.invalidateQueries({ queryKey })
}

/**
 * Forgets what is on its way to the page, where news comes that it may be older than. To ask again
 * is not enough: a first answer would be waited for. Write the news after this, as this takes back
 * what was written since the question.
 */
export function dropAnswers(queries: QueryClient, queryKey: QueryKey): void {
  void queries.cancelQueries({ queryKey, type: 'active' })
}
