import { useInfiniteQuery } from '@tanstack/react-query'

type AnyPage = { data: readonly unknown[]; after: string | null }

/**
 * A list that the API returns in pages: what has been loaded, and how to load more. `load` gets the
 * cursor of the next page, undefined for the first. `lookEveryMs`: how often it is refetched.
 */
export function usePages<Page extends AnyPage>(
  queryKey: readonly unknown[],
  load: (after: string | undefined, signal: AbortSignal) => Promise<Page>,
  { lookEveryMs }: { lookEveryMs?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    refetchInterval: lookEveryMs ?? false,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.after ?? undefined,
  })
  const items = query.data?.pages.flatMap(({ data }): readonly Page['data'][number][] => data)
  return { ...query, items }
}
