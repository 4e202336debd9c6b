import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { call } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { Loaded, type LoadedQuery, SkeletonRows } from './loaded.tsx'

export interface Column<Row> {
  /** Each column of a table has another one. */
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers are right-aligned, so that their digits line up. */
  isNumber?: boolean
  /** Hidden on screens narrower than this, including phones unless they are named. */
  from?: 'md' | 'lg' | 'xl' | 'xl and phones'
  /** Buttons, which say what they do: on a phone the column's name is not beside them. */
  isAct?: boolean
  /** The row's name: on a phone it is the heading of the card, without the column's name. */
  isTitle?: boolean
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Where a row leads: its first cell is the link. */
  hrefOf?: ((row: Row) => string) | undefined
}

/** A line of a card: the name of the column, and the value at the end. */
const inCard = 'max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-4'

const shownFrom = {
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
  'xl and phones': 'md:max-xl:hidden',
} as const

/**
 * A table of at most a page of rows. On screens narrower than 768 px each row is a card, with the
 * name of the column before each value.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf } = props
  return (
    <table aria-label={label} className="w-full border-collapse text-14 max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-edge text-left text-quiet">
          {columns.map((column) => (
            <HeaderCell key={column.header} column={column} />
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="border-b border-hairline align-baseline last:border-0 hover:bg-raised/50 max-md:block max-md:py-3 max-md:first:pt-0 max-md:last:pb-0"
          >
            {columns.map((column, nth) => (
              <BodyCell
                key={column.header}
                column={column}
                row={row}
                href={nth === 0 ? props.hrefOf?.(row) : undefined}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HeaderCell<Row>({ column: { header, isNumber = false, from } }: { column: Column<Row> }) {
  return (
    <th
      scope="col"
      className={classNames(
        'px-3 py-2 font-medium whitespace-nowrap first:pl-0 last:pr-0',
        isNumber && 'text-right',
        from && shownFrom[from],
      )}
    >
      {header}
    </th>
  )
}

function BodyCell<Row>({
  column: { header, cell, isNumber = false, from, isTitle = false, isAct = false },
  row,
  href,
}: {
  column: Column<Row>
  row: Row
  href: string | undefined
}) {
  const content = cell(row)
  const onPhone = isTitle ? 'max-md:block' : content === false ? 'max-md:hidden' : inCard
  return (
    <td
      className={classNames(
        'px-3 py-3 first:pl-0 last:pr-0 max-md:px-0 max-md:py-1',
        isNumber && 'tabular text-right md:whitespace-nowrap',
        // Only one display may be set below 768 px: of two, the order in the style sheet would
        // decide.
        (from === undefined || from === 'xl and phones') && onPhone,
        from && shownFrom[from],
      )}
    >
      {!isTitle && (
        <span aria-hidden="true" className="shrink-0 text-quiet md:hidden">
          {!isAct && header}
        </span>
      )}
      <span
        className={classNames(
          // The words of a button stay on one line, however long what stands beside it is.
          'min-w-0 wrap-anywhere [&_button]:whitespace-nowrap md:[&>button]:-my-2',
          isTitle ? 'max-md:font-medium' : 'max-md:text-right',
        )}
      >
        {href === undefined ? (
          content
        ) : (
          <Link to={href} className="font-medium underline-offset-4 hover:underline">
            {content}
          </Link>
        )}
      </span>
    </td>
  )
}

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
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

export function LoadMore({ query }: { query: MorePages }) {
  if (!query.hasNextPage) return null
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => void query.fetchNextPage()}
        isBusy={query.isFetchingNextPage}
        className="self-center"
      >
        Show more
      </Button>
      {query.isFetchNextPageError && (
        <p className="self-center text-14 text-quiet">The next rows could not be loaded.</p>
      )}
    </>
  )
}
