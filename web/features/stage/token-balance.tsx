import { unitsFromWire, priceFromWire } from '#contract/codec.ts'
import type { User } from '#contract/shapes.ts'
import { formatDecimal, plainDecimal, USD_DECIMALS } from '#domain/money.ts'
import { formatExact, formatUsd, formatUsdExact, formatPriceShort } from '#web/lib/format/format.ts'
import {
  formatTokens,
  WIRE_DECIMALS,
  usdValueOf,
  valueText,
} from '#web/lib/format/token-amounts.ts'
import { paths } from '#web/lib/paths.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { LinkButton } from '#web/ui/actions/links.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Figure } from '#web/ui/layout/figure.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { useSale } from './queries.ts'
import type { SaleState } from './sale-state.ts'

interface TokenBalanceProps {
  tokens: User['tokens']
  /** The project's; undefined while it loads. */
  symbol: string | undefined
  /** Dollars for one token; null where there is no price, undefined while it loads. */
  tokenPrice: number | null | undefined
  className?: string
}

/**
 * Where the card may be too narrow for both figures, the tokens are always below their value, so
 * that nothing below moves once the value is loaded.
 */
const BELOW = 'flex-col sm:flex-row md:flex-col xl:flex-row'

/** The balance: its value at the left, the tokens at the right. */
export function TokenBalance({ tokens, symbol, tokenPrice, className = '' }: TokenBalanceProps) {
  const dashboard = useDashboardTexts()
  const { data: sale, isError } = useSale()
  const isEmpty = tokens.total === 0
  const isLoading = symbol === undefined || (sale === undefined && !isError)
  return (
    <Card title={dashboard.balance} className={className}>
      <div className={classNames('flex flex-wrap gap-x-8 gap-y-2', !isEmpty && BELOW)}>
        <BalanceValue
          tokens={tokens.total}
          tokenPrice={isLoading ? undefined : isEmpty ? 0 : tokenPrice}
        />
        <div className="mt-auto ml-auto">
          {isLoading ? (
            <Skeleton className="h-[30px] w-24" />
          ) : (
            <Figure
              value={formatTokens(tokens.total)}
              exact={formatExact(plainDecimal(tokens.total))}
              unit={symbol}
              size="medium"
            />
          )}
        </div>
      </div>
      {isEmpty && (isLoading ? <EmptyWaiting /> : <Empty sale={sale} symbol={symbol} />)}
    </Card>
  )
}

/** Renders nothing where the price is not known: the tokens then are shown alone. */
function BalanceValue({
  tokens,
  tokenPrice,
}: {
  tokens: number
  tokenPrice: number | null | undefined
}) {
  if (tokenPrice === undefined) return <Skeleton className="h-9 w-32 sm:h-[43px]" />
  if (tokenPrice === null) return null
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  const value = formatUsd(valueText(units, priceFromWire(tokenPrice), WIRE_DECIMALS))
  const usdValue = usdValueOf(tokens, tokenPrice)
  const exact = usdValue > 0n ? formatUsdExact(formatDecimal(usdValue, USD_DECIMALS)) : value
  return (
    <div className="flex min-h-9 items-end sm:min-h-[43px]">
      <Figure value={value} exact={exact} />
    </div>
  )
}

/** Below the zeros: the way to the first tokens, or when there will be one. */
function Empty({ sale, symbol }: { sale: SaleState | undefined; symbol: string }) {
  const dashboard = useDashboardTexts()
  if (sale?.status === 'ACTIVE') {
    const price = formatPriceShort(sale.stage.token_price)
    return (
      <div className="flex flex-1 flex-col items-start gap-4">
        <div className="flex flex-col gap-1">
          <p className="text-20 font-strong">{dashboard.balanceEmpty(symbol)}</p>
          <p className="max-w-prose text-quiet">{dashboard.balanceEmptyText(price, symbol)}</p>
        </div>
        <LinkButton to={paths.buy} className="mt-auto">
          {dashboard.buy(symbol)}
        </LinkButton>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-1">
      <p className="text-20 font-strong">
        {sale?.status === 'ENDED' ? dashboard.balanceNever(symbol) : dashboard.balanceNone(symbol)}
      </p>
      {sale !== undefined && (
        <p className="max-w-prose text-quiet">{dashboard.balanceNoneText[sale.status]}</p>
      )}
    </div>
  )
}

/** As high as the way to the first tokens. */
function EmptyWaiting() {
  return (
    <>
      <div className="flex flex-col gap-1">
        <Skeleton className="h-[26px] w-48" />
        <Skeleton className="h-18 max-w-prose sm:h-12 md:h-18 xl:h-12" />
      </div>
      <Skeleton className="mt-auto h-11 w-28" />
    </>
  )
}
