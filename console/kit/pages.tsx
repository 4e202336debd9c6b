import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { call } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { Loaded, type LoadedQuery } from './loaded.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { Table, type TableProps } from './table.tsx'

type AnyPage = { data: readonly unknown[]; after: string | null }
type PagedCall<Page> = Endpoint & { result: z.core.$ZodType<Page> }

/** Where the page to be loaded begins, as a part of the call's query; empty for the first one. */
type Cursor = { after?: string }

/**
 * A list that the API returns in pages: what has been loaded, and how to load more. `input` is that
 * of the first page; `lookEveryMs`: how often all of it is refetched.
 */
export function usePages<E extends Endpoint, Page extends AnyPage>(
  queryKey: readonly unknown[],
  endpoint: E & PagedCall<Page>,
  input: InputOf<E> & { query?: object },
  { lookEveryMs }: { lookEveryMs?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const paged: PagedCall<Page> = endpoint
      return await call(paged, { ...input, query: { ...input.query, ...pageParam } }, { signal })
    },
    refetchInterval: lookEveryMs ?? false,
    initialPageParam: {},
    getNextPageParam: ({ after }): Cursor | undefined => (after === null ? undefined : { after }),
  })
  const items = query.data?.pages.flatMap(({ data }): readonly Page['data'][number][] => data) ?? []
  return { ...query, items }
}

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** What `usePages` returns. */
  pages: LoadedQuery<unknown> & MorePages & { items: readonly Row[] }
  /** What is loaded, as the sentence of a failure names it: 'The purchases'. */
  what: string
  /** In the shape of the data to come. */
  skeleton?: ReactNode
  /** Shown if there are no rows. */
  empty: ReactNode
}

export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { pages, what, skeleton = <SkeletonRows />, empty, ...table } = props
  return (
    <Loaded query={pages} what={what} skeleton={skeleton}>
      {() => (
        <>
          {pages.items.length === 0 ? empty : <Table {...table} rows={pages.items} />}
          <LoadMore query={pages} />
        </>
      )}
    </Loaded>
  )
}

interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

export function LoadMore({ query }: { query: MorePages }) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      onClick={() => void query.fetchNextPage()}
      isBusy={query.isFetchingNextPage}
      className="self-center"
    >
      Show more
    </Button>
  )
}
