import type { User } from '#contract/shapes.ts'
import { formatDecimal, plainDecimal, USD_DECIMALS } from '#domain/money.ts'
import { formatExact, formatUsd } from '#web/lib/format.ts'
import { formatPrice } from '#web/lib/format-price.ts'
import { formatTokens, worthOf } from '#web/lib/token-amounts.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Card } from '#web/ui/card.tsx'
import { Figure } from '#web/ui/figure.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface TokenBalanceProps {
  tokens: User['tokens']
  /** The project's; undefined while it loads. */
  symbol: string | undefined
  /** Dollars for one token; null where there is no price. */
  tokenPrice: number | null
  /** True where tokens can be bought now, so that an empty balance invites to. */
  isOnSale: boolean
  className?: string
}

/** What the buyer owns: its worth at the left, the tokens at the right. */
export function TokenBalance(props: TokenBalanceProps) {
  const { tokens, symbol, tokenPrice, isOnSale, className = '' } = props
  const { dashboard } = useMessages()
  const isEmpty = tokens.total === 0 && isOnSale
  return (
    <Card title={dashboard.balance} className={className}>
      {symbol === undefined ? (
        <Skeleton className="h-16" />
      ) : (
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          {tokenPrice !== null && <Worth tokens={tokens.total} tokenPrice={tokenPrice} />}
          <Figure
            value={formatTokens(tokens.total)}
            exact={formatExact(plainDecimal(tokens.total))}
            unit={symbol}
            size="medium"
            {...(tokenPrice !== null && { align: 'end' })}
          />
        </div>
      )}
      {symbol !== undefined && isEmpty && tokenPrice !== null && (
        <Invitation symbol={symbol} tokenPrice={tokenPrice} />
      )}
    </Card>
  )
}

function Worth({ tokens, tokenPrice }: { tokens: number; tokenPrice: number }) {
  const worth = worthOf(tokens, tokenPrice)
  const cents = (worth + 5000n) / 10_000n
  return (
    <Figure
      value={formatUsd(formatDecimal(cents, 2))}
      exact={formatUsd(formatDecimal(worth, USD_DECIMALS))}
    />
  )
}

function Invitation({ symbol, tokenPrice }: { symbol: string; tokenPrice: number }) {
  const { dashboard } = useMessages()
  return (
    <div className="flex flex-col items-start gap-4">
      <div className="flex flex-col gap-1">
        <p className="text-20 font-strong">{dashboard.balanceEmpty(symbol)}</p>
        <p className="max-w-prose text-quiet">
          {dashboard.balanceEmptyText(formatPrice(tokenPrice), symbol)}
        </p>
      </div>
      <LinkButton to={paths.buy}>{dashboard.buy(symbol)}</LinkButton>
    </div>
  )
}
