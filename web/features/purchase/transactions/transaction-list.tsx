import { type ReactNode, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { transactionStates } from '#domain/settlement/outcome.ts'
import type {
  Cursor,
  ListFilter,
  TransactionPage,
} from '#web/features/purchase/transaction-cache.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { isCut } from '#web/lib/format/token-amounts.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useTransactionListTexts } from '#web/messages/use-transaction-list-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Button, IconButton } from '#web/ui/actions.tsx'
import { NoPurchasesDrawing } from '#web/ui/feedback/drawings.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card, List } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { usePageQuery, useTransactionPage, useWholeList } from './transaction-queries.ts'
import { LIST_GRID, TransactionRow, TransactionRowSkeleton } from './transaction-row.tsx'

const SKELETON_ROWS = 5
const FIRST_PAGE: Cursor = {}

interface TransactionListProps {
  title: string
  projectSymbol: string
  onOpen: (id: string) => void
  /** At the right of the title. */
  aside?: ReactNode
  /** Nothing can be bought any more. */
  isSaleOver?: boolean
  /** The filter of the list; without it only the newest page is shown, without pagination. */
  filter?: { value: ListFilter; onChange: (value: ListFilter) => void }
}

/** The caller's transactions, five a page, newest first. */
export function TransactionList(props: TransactionListProps) {
  const { title, projectSymbol, onOpen, aside, isSaleOver = false, filter } = props
  const messages = useTransactionTexts()
  const shown = filter?.value ?? 'all'
  const [place, setPlace] = useState({ filter: shown, cursor: FIRST_PAGE })
  const cursor = place.filter === shown ? place.cursor : FIRST_PAGE
  const page = useTransactionPage(shown, cursor)
  const paging = usePaging(shown, (next) => setPlace({ filter: shown, cursor: next }))
  const isLoading = paging.isLoading || page.isPlaceholderData

  if (page.data === undefined && page.isError) {
    return (
      <Card title={title} aside={aside}>
        <ErrorState title={messages.listFailed} query={page}>
          {messages.listFailedHint}
        </ErrorState>
      </Card>
    )
  }
  const rows = page.data?.data
  const isEmpty = rows?.length === 0 && !page.isPlaceholderData
  // The last purchase of a page may leave the filter, while others are on the pages before it.
  if (isEmpty && cursor !== FIRST_PAGE) setPlace({ filter: shown, cursor: FIRST_PAGE })
  const nextToPay = rows?.findLast(({ status }) => status === 'pending')
  return (
    <Card title={title} aside={aside}>
      {filter !== undefined && !(isEmpty && shown === 'all') && (
        <ListTools filter={filter} projectSymbol={projectSymbol} isReady={rows !== undefined} />
      )}
      {isEmpty && <NothingListed filter={shown} isSaleOver={isSaleOver} />}
      {!isEmpty && (
        <div
          aria-busy={rows === undefined || isLoading}
          className={classNames(
            '@container transition-opacity',
            isLoading && 'opacity-60 delay-100',
          )}
        >
          <List label={title} className={LIST_GRID}>
            {rows?.map((transaction) => (
              <TransactionRow
                key={transaction.id}
                transaction={transaction}
                projectSymbol={projectSymbol}
                isNext={transaction === nextToPay}
                onOpen={onOpen}
              />
            )) ??
              Array.from({ length: SKELETON_ROWS }, (_, row) => (
                <TransactionRowSkeleton key={row} />
              ))}
          </List>
        </div>
      )}
      {filter !== undefined && page.data !== undefined && !isEmpty && (
        <Pagination page={page.data} onGoTo={(to) => void paging.goTo(to)} />
      )}
      <RoundedNote rows={rows ?? []} />
    </Card>
  )
}

function NothingListed({ filter, isSaleOver }: { filter: ListFilter; isSaleOver: boolean }) {
  const messages = useTransactionTexts()
  const texts = useTransactionListTexts()
  if (filter !== 'all') {
    return <p className="py-8 text-center text-quiet">{texts.filter.none[filter]}</p>
  }
  return (
    <EmptyState icon={<NoPurchasesDrawing />} title={messages.empty}>
      {isSaleOver ? undefined : messages.emptyHint}
    </EmptyState>
  )
}

/** Why the amounts of a list do not add up to the balance, if they may not. */
function RoundedNote({ rows }: { rows: TransactionPage['data'] }) {
  const { rounded } = useTransactionListTexts()
  const credited = rows.filter(({ status }) => status === 'completed')
  const isRounded = credited.length > 1 && credited.some(({ tokens }) => isCut(tokens.total))
  return isRounded ? <p className="text-14 text-quiet">{rounded}</p> : null
}

interface ListToolsProps {
  filter: NonNullable<TransactionListProps['filter']>
  projectSymbol: string
  /** False while the first rows are loading. */
  isReady: boolean
}

/** The filter, and the whole list as a file. */
function ListTools({ filter, projectSymbol, isReady }: ListToolsProps) {
  const texts = useTransactionListTexts()
  const filters: readonly ListFilter[] = ['all', ...transactionStates]
  if (!isReady) return <Skeleton className="h-11.5 max-w-80" />
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Segmented
        label={texts.filter.label}
        options={filters.map((value) => ({ value, label: texts.filter.options[value] }))}
        value={filter.value}
        onChange={filter.onChange}
      />
      <DownloadButton filter={filter.value} projectSymbol={projectSymbol} />
    </div>
  )
}

/** All pages of what is shown, for example for a tax return. */
function DownloadButton({ filter, projectSymbol }: { filter: ListFilter; projectSymbol: string }) {
  const { csv } = useTransactionListTexts()
  const fetchAll = useWholeList(filter)
  const { isBusy, attempt } = useAttempt(
    async () => {
      // As the transactions themselves do, its code comes over the network when it is asked for.
      const { transactionsCsv } = await import('./transaction-csv.ts')
      const text = transactionsCsv(await fetchAll(), projectSymbol, csv.headings)
      saveFile(`${csv.fileName}.csv`, text, 'text/csv')
    },
    () => toast.error(csv.failed),
  )
  return (
    <Button variant="quiet" size="small" isBusy={isBusy} onClick={attempt}>
      {!isBusy && <Download size={16} />}
      {csv.download}
    </Button>
  )
}

/**
 * Goes to a page once it is loaded; if that fails, the present page stays and an error is shown.
 * The first page has its own key, so that new purchases appear at its top.
 */
function usePaging(filter: ListFilter, show: (cursor: Cursor) => void) {
  const messages = useTransactionTexts()
  const queries = useQueryClient()
  const pageQuery = usePageQuery(filter)
  const [isLoading, setLoading] = useState(false)
  async function goTo(cursor: Cursor) {
    if (isLoading) return
    setLoading(true)
    try {
      const { queryKey, queryFn } = pageQuery(cursor)
      const page = await queries.fetchQuery({ queryKey, queryFn })
      show(page.before === null ? FIRST_PAGE : cursor)
    } catch {
      toast.error(messages.listFailed)
    } finally {
      setLoading(false)
    }
  }
  return { goTo, isLoading }
}

/**
 * The position of the page in the list, and the pagination; nothing if the page is the whole list.
 * At either end, the button with the focus stays, so that the keyboard keeps its place.
 */
function Pagination({ page, onGoTo }: { page: TransactionPage; onGoTo: (cursor: Cursor) => void }) {
  const { ui } = useMessages()
  const messages = useTransactionTexts()
  const texts = useTransactionListTexts()
  const { data, before, after, total, position } = page
  if (before === null && after === null) return null
  return (
    <nav aria-label={messages.pages} className="flex items-center justify-end gap-2">
      {total >= data.length && (
        <p role="status" className="tabular mr-2 text-14 text-quiet">
          {texts.range(
            formatNumber(position + 1),
            formatNumber(position + data.length),
            formatNumber(total),
          )}
        </p>
      )}
      <PageButton
        label={ui.previousPage}
        icon={<ChevronLeft size={20} />}
        onPress={before === null ? undefined : () => onGoTo({ before })}
      />
      <PageButton
        label={ui.nextPage}
        icon={<ChevronRight size={20} />}
        onPress={after === null ? undefined : () => onGoTo({ after })}
      />
    </nav>
  )
}

interface PageButtonProps {
  label: string
  icon: ReactNode
  onPress: (() => void) | undefined
}

function PageButton({ label, icon, onPress }: PageButtonProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      aria-disabled={onPress === undefined}
      onClick={onPress}
      className="aria-disabled:cursor-default aria-disabled:opacity-50"
    />
  )
}
