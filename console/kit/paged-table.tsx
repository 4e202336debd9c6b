import type { ReactNode } from 'react'
import { Loaded, type LoadedQuery } from './loaded.tsx'
import { LoadMore, type MorePages } from './load-more.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { Table, type TableProps } from './table.tsx'

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

/** The pages of a list that have been loaded as one table, and a button for the next one. */
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
