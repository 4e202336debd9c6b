import { type ReactNode, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Cursor } from '#web/features/purchase/transaction-cache.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { IconButton } from '#web/ui/actions/icon-button.tsx'
import { NoPurchasesDrawing } from '#web/ui/feedback/drawings.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { List } from '#web/ui/layout/list.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { usePageQuery, useTransactionPage } from './transaction-queries.ts'
import { TransactionRow, TransactionRowSkeleton } from './transaction-row.tsx'

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
  /** The newest page alone, without a way to others. */
  isNewestOnly?: boolean
}

/** The caller's transactions, five a page, newest first. */
export function TransactionList(props: TransactionListProps) {
  const { title, projectSymbol, onOpen, aside, isSaleOver = false, isNewestOnly = false } = props
  const messages = useTransactionTexts()
  const [cursor, setCursor] = useState(FIRST_PAGE)
  const page = useTransactionPage(cursor)
  const { goTo, isLoading } = usePaging(setCursor)

  if (page.data === undefined && page.isError) {
    return (
      <Card title={title} aside={aside}>
        <ErrorState
          title={messages.listFailed}
          onRetry={() => void page.refetch()}
          isRetrying={page.isFetching}
        >
          {messages.listFailedHint}
        </ErrorState>
      </Card>
    )
  }
  const rows = page.data?.data
  const { before, after } = page.data ?? { before: null, after: null }
  const hasPages = !isNewestOnly && (before !== null || after !== null)
  return (
    <Card title={title} aside={aside}>
      {rows?.length === 0 ? (
        <EmptyState icon={<NoPurchasesDrawing />} title={messages.empty}>
          {isSaleOver ? undefined : messages.emptyHint}
        </EmptyState>
      ) : (
        <div
          aria-busy={rows === undefined || isLoading}
          className={classNames('transition-opacity', isLoading && 'opacity-60 delay-100')}
        >
          <List label={title}>
            {rows?.map((transaction) => (
              <TransactionRow
                key={transaction.id}
                transaction={transaction}
                projectSymbol={projectSymbol}
                onOpen={onOpen}
              />
            )) ??
              Array.from({ length: SKELETON_ROWS }, (_, row) => (
                <TransactionRowSkeleton key={row} />
              ))}
          </List>
        </div>
      )}
      {hasPages && (
        <Pagination
          label={messages.pages}
          onPrevious={before === null ? undefined : () => void goTo({ before })}
          onNext={after === null ? undefined : () => void goTo({ after })}
        />
      )}
    </Card>
  )
}

/**
 * Goes to a page once it is loaded; where that fails, this page stays and an error is shown. The
 * first page has a key of its own, so that new purchases appear at its top.
 */
function usePaging(show: (cursor: Cursor) => void) {
  const messages = useTransactionTexts()
  const queries = useQueryClient()
  const pageQuery = usePageQuery()
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

interface PaginationProps {
  /** Names the navigation for screen readers. */
  label: string
  /** Left out where there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** At an end a button stays where the focus is, so that the keyboard keeps its place. */
function Pagination({ label, onPrevious, onNext }: PaginationProps) {
  const { ui } = useMessages()
  return (
    <nav aria-label={label} className="flex justify-end gap-2">
      <PageButton label={ui.previousPage} icon={<ChevronLeft size={20} />} onPress={onPrevious} />
      <PageButton label={ui.nextPage} icon={<ChevronRight size={20} />} onPress={onNext} />
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
