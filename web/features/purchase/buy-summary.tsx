import { formatNumber } from '#web/lib/format.ts'
import { formatPrice } from '#web/lib/format-price.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/class-names.ts'
import { LabelledLine } from '#web/ui/list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { dealFormat } from './deal.ts'
import { PRICES_REFETCH_MS } from './price-queries.ts'
import type { BuyForm } from './use-buy-form.ts'

/** How long the prices still stand. */
export function QuoteClock({ updatedAtMs }: { updatedAtMs: number }) {
  const { buy } = useMessages()
  const { totalSeconds } = useCountdown(updatedAtMs + PRICES_REFETCH_MS)
  return (
    <span role="timer" className="tabular text-14 text-quiet">
      {totalSeconds === 0 ? buy.summary.quoteUpdating : buy.summary.quote(totalSeconds)}
    </span>
  )
}

interface BuySummaryProps {
  form: BuyForm
  symbol: string
  /** Dollars for one token. */
  tokenPrice: number
}

/** A line above the total, as under a column of figures. */
const SUM =
  'transition-opacity [&>:last-child]:mt-1 [&>:last-child]:border-t ' +
  '[&>:last-child]:border-hairline [&>:last-child]:pt-2'

/** The whole deal in one sentence, and the sum it comes from. */
export function BuySummary({ form, symbol, tokenPrice }: BuySummaryProps) {
  const { buy } = useMessages()
  const { deal, fault, token, amounts, isDealCurrent } = form
  if (fault !== null) return <p className="min-h-40 text-quiet">{buy.summary.unknown}</p>
  if (deal === null || token === undefined || amounts.cryptoText === '') return <SummaryWaiting />
  const format = dealFormat(deal)
  return (
    <div className="flex min-h-40 flex-col gap-3">
      <p className="text-20 leading-normal">
        {buy.summary.send}
        <Amount>{`${formatNumber(amounts.cryptoText)} ${token.short_name}`}</Amount>
        {buy.summary.for}
        <Amount>{`${format(deal.total)} ${symbol}`}</Amount>
      </p>
      <dl className={classNames(SUM, !isDealCurrent && 'opacity-60')}>
        <LabelledLine label={buy.summary.price}>{formatPrice(tokenPrice)}</LabelledLine>
        <LabelledLine label={buy.summary.tokens}>{format(deal.base)}</LabelledLine>
        <LabelledLine label={buy.summary.bonus}>{`+ ${format(deal.bonusTokens)}`}</LabelledLine>
        <LabelledLine label={buy.summary.total} isStrong>
          {format(deal.total)}
        </LabelledLine>
      </dl>
    </div>
  )
}

function Amount({ children }: { children: string }) {
  return <strong className="tabular font-strong whitespace-nowrap">{children}</strong>
}

function SummaryWaiting() {
  return (
    <div className="flex min-h-40 flex-col gap-3">
      <Skeleton className="h-15" />
      <Skeleton className="h-24" />
    </div>
  )
}
