import { type Query, QueryClient } from '@tanstack/react-query'
import type { PageSeed } from '#contract/page-seed.ts'
import { bannersQuery } from '#web/features/banner/queries.ts'
import { projectQuery } from '#web/features/project/queries.ts'
import { stagesQuery } from '#web/features/stage/queries.ts'
import { isWorthRetrying } from '#web/lib/api/call.ts'

const STALE_MS = 30_000
const SEED_TRUSTED_MS = 3000

/**
 * Calls are made even if the device reports no network: then they fail at once and the page shows
 * it; otherwise they would wait, and a click would take effect much later. The page's seed is in
 * the cache from the start.
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
    client.setQueryData(stagesQuery.queryKey, seed.stages)
  }
  return client
}

/**
 * Refetches whatever came with the seed and was not replaced since, because a browser may have
 * cached the page for a long time. Not at once: each refetch would render the whole page again
 * before the user can do anything.
 */
export function askAgainForSeed(client: QueryClient): void {
  const predicate = ({ state }: Query) =>
    state.dataUpdateCount === 1 && state.fetchStatus === 'idle'
  setTimeout(() => {
    for (const { queryKey } of [projectQuery, bannersQuery, stagesQuery]) {
      void client.invalidateQueries({ queryKey, predicate })
    }
  }, SEED_TRUSTED_MS)
}
