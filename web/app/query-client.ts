import { QueryClient } from '@tanstack/react-query'
import type { PageSeed } from '#contract/page-seed.ts'
import { bannersQuery } from '#web/features/banner/queries.ts'
import { projectQuery } from '#web/features/project/queries.ts'
import { CallError } from '#web/lib/call-error.ts'

const STALE_MS = 30_000
const RETRIES = 2

/** A refusal is an answer; only what did not reach the server or broke there is asked again. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES) return false
  return !(error instanceof CallError) || !error.isFromServer || error.code === 500
}

/**
 * Calls are made whatever the device believes of its network: without one they fail at once, and
 * the page says so, where otherwise it would wait, and a press would do its work much later.
 * What the page was sent along with is shown from the start, and asked for again all the same.
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
    void client.invalidateQueries()
  }
  return client
}
