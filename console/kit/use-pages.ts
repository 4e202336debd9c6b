import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { call } from '#web/lib/api/call.ts'

/** A call that returns a page of a list. */
type PagedEndpoint = Endpoint & {
  result: z.core.$ZodType<{ data: readonly unknown[]; after: string | null }>
}
type ItemOf<E extends PagedEndpoint> = z.output<E['result']>['data'][number]

/** Where the page to be loaded begins, as a part of the call's query; empty for the first one. */
type Cursor = { after?: string }

/**
 * A list that the API returns in pages: what has been loaded, and how to load more. `input` is that
 * of the first page; `lookEveryMs`: how often all of it is refetched.
 */
export function usePages<E extends PagedEndpoint>(
  queryKey: readonly unknown[],
  endpoint: E,
  input: InputOf<E> & { query?: object },
  { lookEveryMs }: { lookEveryMs?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<z.output<E['result']>> => {
      // Every call that returns pages takes a cursor.
      const asked = { ...input, query: { ...input.query, ...pageParam } } as InputOf<E>
      return await call(endpoint, asked, { signal })
    },
    refetchInterval: lookEveryMs ?? false,
    initialPageParam: {},
    getNextPageParam: ({ after }): Cursor | undefined => (after === null ? undefined : { after }),
  })
  const items = query.data?.pages.flatMap(({ data }): readonly ItemOf<E>[] => data) ?? []
  return { ...query, items }
}
