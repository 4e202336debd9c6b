import { Gift } from 'lucide-react'
import type { Transaction } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import { TokenIcon } from '#web/features/purchase/picker/token-icon.tsx'
import { formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { preloadDialog } from '#web/ui/layout/dialog.tsx'
import { ListRow } from '#web/ui/layout/list.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { StatusChip } from './status-chip.tsx'
import { dateText, paidAmounts, tokensValue } from './transaction-text.ts'

/**
 * Icon, paid, tokens, status and action in one line; under 640 px in the lines of a card. Up to
 * 1280 px the date stands below the dollars, so that all rows are of one height.
 */
const ROW_GRID =
  'grid grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 sm:gap-y-2 ' +
  'sm:min-h-[90px] sm:grid-cols-[2rem_minmax(0,5fr)_minmax(0,5fr)_7.5rem_5rem] xl:min-h-16'

interface TransactionRowProps {
  transaction: Transaction
  projectSymbol: string
  onOpen: (id: string) => void
}

export function TransactionRow({ transaction, projectSymbol, onOpen }: TransactionRowProps) {
  const messages = useTransactionTexts()
  const { id, type, status, tokens, payment_token: token } = transaction
  const isLost = status === 'expired' || status === 'failed'
  const paidId = `paid-${id}`
  return (
    <ListRow className={ROW_GRID} data-status={status}>
      {token === null ? <RewardIcon /> : <TokenIcon symbol={token.short_name} size={32} />}
      <div id={paidId} className="flex min-w-0 flex-col max-sm:col-span-2">
        <Paid transaction={transaction} />
      </div>
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 max-sm:col-span-2 max-sm:col-start-2 sm:flex-col sm:items-end sm:justify-start">
        <span
          className={classNames('tabular font-medium whitespace-nowrap', isLost && 'text-quiet')}
          title={plainDecimal(tokens.total)}
        >
          {formatTokens(tokens.total)} <span className="text-12 text-quiet">{projectSymbol}</span>
        </span>
        <span className="tabular text-14 text-quiet">{formatUsd(tokensValue(transaction))}</span>
      </div>
      <span className="max-sm:col-start-2 sm:justify-self-end">
        <StatusChip status={status} />
      </span>
      <span className="justify-self-end">
        {type === 'purchase' && (
          <Button
            variant={status === 'pending' ? 'primary' : 'quiet'}
            size="small"
            aria-describedby={paidId}
            className={classNames(status !== 'pending' && '-mr-3')}
            onPointerEnter={preloadDialog}
            onFocus={preloadDialog}
            onClick={() => onOpen(id)}
          >
            {status === 'pending' ? messages.pay : messages.details}
          </Button>
        )}
      </span>
    </ListRow>
  )
}

function Paid({ transaction }: { transaction: Transaction }) {
  const messages = useTransactionTexts()
  const { payment_token: token, created_date: created } = transaction
  const { crypto, fiat } = paidAmounts(transaction)
  const date = (
    <time dateTime={created} className="text-12 sm:text-14">
      {dateText(created)}
    </time>
  )
  if (token === null || crypto === null || fiat === null) {
    return (
      <>
        <span>
          <Chip tone="neutral" icon={<Gift size={16} aria-hidden="true" />}>
            {messages.types[transaction.type]}
          </Chip>
        </span>
        <span className="text-14 text-quiet">{date}</span>
      </>
    )
  }
  return (
    <>
      <span className="tabular font-medium whitespace-nowrap" title={plainDecimal(crypto)}>
        {formatNumber(crypto)} <span className="text-12 text-quiet">{token.short_name}</span>
      </span>
      <span className="tabular flex flex-wrap items-baseline gap-x-3 text-14 text-quiet max-sm:justify-between sm:flex-col xl:flex-row">
        <span>{formatUsd(fiat)}</span>
        {date}
      </span>
    </>
  )
}

function RewardIcon() {
  return (
    <span
      aria-hidden="true"
      className="flex size-8 items-center justify-center rounded-pill bg-raised text-accent"
    >
      <Gift size={16} />
    </span>
  )
}

/** A row in the shape of one that is on its way. */
export function TransactionRowSkeleton() {
  return (
    <ListRow className={ROW_GRID}>
      <Skeleton className="size-8 rounded-pill" />
      <SkeletonLines />
      <span className="max-sm:col-start-2 sm:justify-self-end">
        <SkeletonLines />
      </span>
      <Skeleton className="h-9 w-24 max-sm:col-start-2 sm:h-6 sm:justify-self-end" />
    </ListRow>
  )
}

function SkeletonLines() {
  return (
    <span className="flex flex-col">
      <SkeletonText characters={12} />
      <span className="text-14">
        <SkeletonText characters={16} />
      </span>
    </span>
  )
}
