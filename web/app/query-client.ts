import { QueryClient } from '@tanstack/react-query'
import type { PageSeed } from '#contract/page-seed.ts'
import { bannersQuery } from '#web/features/banner/queries.ts'
import { projectQuery } from '#web/features/project/queries.ts'
import { CallError } from '#web/lib/api/call.ts'

const STALE_MS = 30_000
const SEED_TRUSTED_MS = 3000
const RETRIES = 2

/** A refusal is an answer; only what did not reach the server or broke there is asked again. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false
  return !(error instanceof CallError) || !error.isFromServer || error.code === 500
}

/**
 * Calls are made whatever the device believes of its network: without one they fail at once, and
 * the page says so, where otherwise it would wait, and a press would do its work much later.
 * What the page was sent along with is shown from the start.
 */
export function createQueryClient(seed: PageSeed | null): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: isWorthRetrying,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
  if (seed !== null) {
    client.setQueryData(projectQuery.queryKey, seed.project)
    client.setQueryData(bannersQuery.queryKey, seed.banners)
  }
  return client
}

/**
 * Asks again for what the page was sent along with, as a browser may have kept the page for long.
 * Not at once: each question would have the whole page rendered again, before it is of use.
 */
export function askAgainForSeed(client: QueryClient): void {
  setTimeout(() => {
    void client.invalidateQueries({ queryKey: projectQuery.queryKey })
    void client.invalidateQueries({ queryKey: bannersQuery.queryKey })
  }, SEED_TRUSTED_MS)
}
