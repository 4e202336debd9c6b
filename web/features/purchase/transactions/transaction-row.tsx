import { Gift } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, plainDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { paidPrice, receivedAmount } from '#web/features/purchase/payment-state.ts'
import { TokenIcon } from '#web/features/purchase/picker/token-icon.tsx'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { formatCoins, formatExact, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { useTransactionListTexts } from '#web/messages/use-transaction-list-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { ListRow } from '#web/ui/layout/card.tsx'
import { preloadDialog } from '#web/ui/layout/dialog.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { arrivalOf } from './payment-figures.ts'
import { StatusChip } from './status-chip.tsx'
import {
  bonusValue,
  dateText,
  isLost,
  paidAmounts,
  tokensValue,
  moneyState,
} from './transaction-text.ts'

/**
 * Icon, paid, tokens, status and action. The list's own width decides, in the reader's own text
 * size: a single line whose columns are as wide as the widest row needs, or the lines of a card, or
 * one thing below another.
 */
export const LIST_GRID =
  '@2xl:grid @2xl:grid-cols-[2rem_minmax(min-content,1fr)_minmax(min-content,1fr)_minmax(7.5rem,auto)_minmax(5rem,auto)]'
const ROW_GRID =
  'grid grid-cols-[minmax(0,1fr)] items-center gap-x-3 gap-y-1 @min-[14rem]:grid-cols-[2rem_minmax(0,1fr)] ' +
  '@2xl:col-span-full @2xl:gap-x-4 @3xl:gap-x-6 @2xl:grid-cols-subgrid @2xl:min-h-[5.625rem] @4xl:min-h-16'
/** A line of a card, at the right of the icon. */
const CARD_LINE = 'flex flex-wrap justify-between gap-x-3 gap-y-1 @min-[14rem]:@max-2xl:col-start-2'

interface TransactionRowProps {
  transaction: Transaction
  projectSymbol: string
  /** The one in the list that is to be paid first. */
  isNext: boolean
  onOpen: (id: string) => void
}

export function TransactionRow(props: TransactionRowProps) {
  const { transaction, projectSymbol, isNext, onOpen } = props
  const messages = useTransactionTexts()
  const { id, type, status, payment_token: token } = transaction
  const isPending = status === 'pending'
  const paidId = `paid-${id}`
  return (
    <ListRow className={ROW_GRID} data-status={status}>
      {token === null ? <RewardIcon /> : <TokenIcon symbol={token.short_name} size={32} />}
      <div id={paidId} className="flex min-w-0 flex-col wrap-anywhere">
        <Paid transaction={transaction} />
      </div>
      <Tokens transaction={transaction} projectSymbol={projectSymbol} />
      <div className={classNames('items-center @2xl:contents', CARD_LINE)}>
        <span className="flex min-w-0 grow basis-32 flex-wrap items-center gap-x-2 gap-y-0.5 @2xl:flex-col @2xl:items-end @2xl:text-right">
          <StatusChip transaction={transaction} />
          <MoneyNote transaction={transaction} />
        </span>
        {type === 'purchase' && (
          <Button
            variant={isPending ? (isNext ? 'primary' : 'secondary') : 'quiet'}
            size="small"
            aria-describedby={paidId}
            className="@2xl:justify-self-end"
            onPointerEnter={preloadDialog}
            onFocus={preloadDialog}
            onClick={() => onOpen(id)}
          >
            {isPending ? messages.pay : messages.details}
          </Button>
        )}
      </div>
    </ListRow>
  )
}

interface TokensProps {
  transaction: Transaction
  projectSymbol: string
}

/** The tokens, and what they are worth at the price of their purchase, bonus included. */
function Tokens({ transaction, projectSymbol }: TokensProps) {
  const texts = useTransactionListTexts()
  const { tokens } = transaction
  const isNone = isLost(transaction)
  const bonus = bonusValue(transaction)
  const price = formatUsdExact(formatDecimal(paidPrice(transaction).price, PRICE_DECIMALS))
  const value = tokensValue(transaction)
  return (
    <div
      className={classNames(
        'min-w-0 items-baseline wrap-anywhere',
        '@2xl:flex-col @2xl:items-end @2xl:justify-start @2xl:gap-y-0 @2xl:text-right',
        CARD_LINE,
      )}
    >
      <span
        className={classNames('tabular font-medium', isNone && 'text-quiet')}
        title={isNone ? undefined : formatExact(plainDecimal(tokens.total))}
      >
        {isNone ? '0' : formatTokens(tokens.total)}{' '}
        <span className="text-12 text-quiet">{projectSymbol}</span>
      </span>
      {!isNone && (
        <span
          className="text-14 text-quiet"
          title={texts.valueWhy(
            formatUsdExact(value),
            price,
            projectSymbol,
            bonus === null ? null : formatUsd(bonus),
          )}
        >
          {texts.value} <span className="tabular">{formatUsd(value)}</span>
        </span>
      )}
    </div>
  )
}

function Paid({ transaction }: { transaction: Transaction }) {
  const messages = useTransactionTexts()
  const texts = useTransactionListTexts()
  const { payment_token: token, created_date: created } = transaction
  const { crypto, fiat } = paidAmounts(transaction)
  const date = (
    <time dateTime={created} className="text-12 @2xl:text-14">
      {dateText(created)}
    </time>
  )
  if (token === null || crypto === null || fiat === null) {
    return (
      <>
        <span>
          <Chip tone="neutral" icon={<Gift size={16} />}>
            {messages.types[transaction.type]}
          </Chip>
        </span>
        <span className="text-14 text-quiet">{date}</span>
      </>
    )
  }
  const dollars = (
    <span className="tabular" title={formatUsdExact(plainDecimal(fiat))}>
      {formatUsd(fiat)}
    </span>
  )
  return (
    <>
      {isLost(transaction) ? (
        <Arrived transaction={transaction} symbol={token.short_name} />
      ) : (
        <Coins amount={plainDecimal(crypto)} symbol={token.short_name} />
      )}
      <span className="flex flex-wrap items-baseline gap-x-3 text-14 text-quiet @max-2xl:justify-between @2xl:flex-col @4xl:flex-row">
        <span>
          {isLost(transaction) && `${texts.of} `}
          {dollars}
        </span>
        {date}
      </span>
    </>
  )
}

/** What came for a purchase that bought nothing: no tokens ever moved. */
function Arrived({ transaction, symbol }: { transaction: Transaction; symbol: string }) {
  const texts = useTransactionListTexts()
  if (transaction.receipts.length > 0) {
    return <Coins amount={receivedAmount(transaction)} symbol={symbol} />
  }
  return <span className="font-medium text-quiet">{texts.nothingArrived}</span>
}

function Coins({ amount, symbol }: { amount: string; symbol: string }) {
  return (
    <span className="tabular font-medium" title={formatExact(amount)}>
      {formatCoins(amount)} <span className="text-12 text-quiet">{symbol}</span>
    </span>
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

export function TransactionRowSkeleton() {
  return (
    <ListRow className={ROW_GRID}>
      <Skeleton className="size-8 rounded-pill" />
      <SkeletonLines />
      <span className="@min-[14rem]:@max-2xl:col-start-2 @2xl:justify-self-end">
        <SkeletonLines />
      </span>
      <Skeleton className="h-9 w-24 @min-[14rem]:@max-2xl:col-start-2 @2xl:h-6 @2xl:justify-self-end" />
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

const MINUTE_SECONDS = 60

/** The state of a transaction's money, in a few words below its status. */
function MoneyNote({ transaction }: { transaction: Transaction }) {
  const texts = useTransactionListTexts()
  const state = moneyState(transaction)
  const { created_date: made, expires_date: until } = transaction
  const { confirmations, required_confirmations: required } = transaction
  switch (state) {
    case null:
      return null
    case 'refundDue':
      return <span className="text-14 text-warning">{texts.refundDue}</span>
    case 'refundUnderWay':
      return <Quiet>{texts.refundUnderWay}</Quiet>
    case 'refunded':
      return <Quiet>{texts.refunded}</Quiet>
    case 'held':
      return <Quiet>{texts.held}</Quiet>
    case 'confirming':
      return <Quiet>{texts.confirmations(Math.min(confirmations, required), required)}</Quiet>
    case 'arriving':
      return (
        <Quiet>
          {texts.arrived(arrivalOf(transaction)?.share ?? '0%')}
          {until !== null && (
            <>
              {' · '}
              <TimeLeft from={made} until={until} />
            </>
          )}
        </Quiet>
      )
    case 'waiting':
      return until === null ? null : (
        <Quiet>
          <TimeLeft from={made} until={until} />
        </Quiet>
      )
  }
}

/** In started minutes, since nobody needs the seconds in a list. */
function TimeLeft({ from, until }: { from: string; until: string }) {
  const texts = useTransactionListTexts()
  // Never more than there was, on a device whose clock is a little slow.
  const secondsMax = (Date.parse(until) - Date.parse(from)) / 1000
  const seconds = Math.min(secondsMax, useSecondsLeft(onThisClock(until)))
  const minutes = Math.ceil(seconds / MINUTE_SECONDS)
  if (minutes === 0) return texts.timeOver
  return (
    <span className="whitespace-nowrap">
      {texts.timeLeft(Math.floor(minutes / 60), minutes % 60)}
    </span>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="tabular text-14 text-quiet">{children}</span>
}
