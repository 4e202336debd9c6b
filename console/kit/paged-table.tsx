import type { ReactNode } from 'react'
import { LoadMore, type MorePages } from './load-more.tsx'
import { Table, type TableProps } from './table.tsx'

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** What `usePages` returns. */
  pages: MorePages & { items: readonly Row[] }
  /** Shown if there are no rows. */
  empty: ReactNode
}

/** The pages of a list that have been loaded as one table, and a button for the next one. */
export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  return (
    <>
      {pages.items.length === 0 ? empty : <Table {...table} rows={pages.items} />}
      <LoadMore query={pages} />
    </>
  )
}
