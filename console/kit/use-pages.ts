import { useInfiniteQuery } from '@tanstack/react-query'

type AnyPage = { data: readonly unknown[]; after: string | null }

/** Where the page to be loaded begins, as a part of the call's query; empty for the first one. */
type Cursor = { after?: string }

/**
 * A list that the API returns in pages: what has been loaded, and how to load more. `lookEveryMs`:
 * how often it is refetched.
 */
export function usePages<Page extends AnyPage>(
  queryKey: readonly unknown[],
  load: (cursor: Cursor, signal: AbortSignal) => Promise<Page>,
  { lookEveryMs }: { lookEveryMs?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    refetchInterval: lookEveryMs ?? false,
    initialPageParam: {},
    getNextPageParam: ({ after }): Cursor | undefined => (after === null ? undefined : { after }),
  })
  const items = query.data?.pages.flatMap(({ data }): readonly Page['data'][number][] => data) ?? []
  return { ...query, items }
}
