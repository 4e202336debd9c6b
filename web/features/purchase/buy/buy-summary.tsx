import { formatNumber } from '#web/lib/format/format.ts'
import { formatPrice } from '#web/lib/format/format-price.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { useBuyTexts } from '#web/messages/en/buy.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { dealFormat } from '#web/features/purchase/deal.ts'
import { nextPricesMs, PRICES_REFETCH_MS } from './price-queries.ts'
import type { BuyForm } from './use-buy-form.ts'

/** How long until prices are asked for: 60 seconds to 0, and that they are late where they are. */
export function QuoteClock({ prices }: Pick<BuyForm, 'prices'>) {
  const buy = useBuyTexts()
  const seconds = useSecondsLeft(nextPricesMs(prices), PRICES_REFETCH_MS / 1000)
  const isLate = prices.isError || (seconds === 0 && prices.isFetching)
  return (
    <span role="timer" className="tabular text-14 text-quiet">
      {isLate ? buy.summary.quoteUpdating : buy.summary.quote(seconds)}
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
  const buy = useBuyTexts()
  const { deal, fault, noRoom, token, amounts, isDealCurrent, coinFault } = form
  if (coinFault === 'noPrice' && token !== undefined) {
    return <Instead>{buy.summary.noPrice(token.short_name)}</Instead>
  }
  if (fault !== null) return <Instead>{buy.summary.unknown}</Instead>
  if (noRoom !== null) return <Instead>{buy.summary.noRoom}</Instead>
  if (deal === null || token === undefined || amounts.cryptoText === '') return <SummaryWaiting />
  const format = dealFormat(deal)
  return (
    <div className="flex flex-col gap-3">
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

/** As high as the deal, so that the button below stays where it is. */
function Instead({ children }: { children: string }) {
  return <p className="min-h-[209px] text-quiet">{children}</p>
}

function Amount({ children }: { children: string }) {
  return <strong className="tabular font-strong whitespace-nowrap">{children}</strong>
}

function SummaryWaiting() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-15 sm:h-[30px] lg:h-15" />
      <Skeleton className="h-[137px]" />
    </div>
  )
}
