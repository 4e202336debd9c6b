import { unitsFromWire, priceFromWire } from '#contract/codec.ts'
import type { Project, User } from '#contract/shapes.ts'
import { formatDecimal, plainDecimal, USD_DECIMALS } from '#domain/money.ts'
import { formatExact, formatUsd, formatUsdCents, formatUsdExact } from '#web/lib/format/format.ts'
import {
  formatTokens,
  WIRE_DECIMALS,
  usdValueOf,
  valueText,
} from '#web/lib/format/token-amounts.ts'
import { paths } from '#web/lib/paths.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { LinkButton, SmallButton } from '#web/ui/actions.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { priceAlone } from './price-alone.ts'
import { balanceParts } from './balance-parts.ts'
import { useExpectedStage, useSale, useSaleStatus, useStages } from './queries.ts'
import type { SaleState } from './sale-state.ts'

/** Dollars for one token, as far as they are known. */
export interface ShownPrice {
  /** Null if there is none, undefined while it loads or if it could not be loaded. */
  value: number | null | undefined
  isFailed: boolean
  isRetrying: boolean
  retry: () => void
}

interface TokenBalanceProps {
  user: User
  /** Undefined while it loads. */
  project: Project | undefined
  price: ShownPrice
  /** When the first tokens are released, in milliseconds; null until that is known. */
  releasedFrom: number | null
  className?: string
}

/**
 * Two long figures fit side by side on few screens. The tokens are always below their value, so
 * that nothing below moves once the value is loaded.
 */
const BELOW = 'flex-col'

/** The balance: its value at the left, the tokens at the right, and what they were paid with. */
export function TokenBalance(props: TokenBalanceProps) {
  const { user, project, price, releasedFrom, className = '' } = props
  const dashboard = useDashboardTexts()
  const { data: known, isError } = useSale()
  const isOver = useSaleStatus() === 'ENDED'
  const sale: SaleState | undefined = known ?? (isOver ? { status: 'ENDED' } : undefined)
  const { tokens } = user
  const symbol = project?.symbol
  const isEmpty = tokens.total === 0
  const isLoading = symbol === undefined || (sale === undefined && !isError)
  // No tokens are worth nothing at any price.
  const shownPrice = isEmpty ? { ...price, value: 0, isFailed: false } : price
  return (
    <Card title={dashboard.balance} className={className}>
      <div className={classNames('flex flex-wrap gap-x-8 gap-y-2', !isEmpty && BELOW)}>
        <BalanceValue
          tokens={tokens.total}
          price={isLoading ? { ...price, value: undefined, isFailed: false } : shownPrice}
        />
        <div className="mt-auto ml-auto">
          <Figure
            value={formatTokens(tokens.total)}
            exact={formatExact(plainDecimal(tokens.total))}
            unit={symbol ?? ''}
            size="medium"
            as={isLoading ? 'skeleton' : 'value'}
          />
        </div>
      </div>
      {isEmpty ? (
        isLoading ? (
          <EmptyWaiting symbol={symbol ?? ''} />
        ) : (
          <Empty sale={sale} symbol={symbol} />
        )
      ) : (
        <Valuation {...{ user, sale, project, price, releasedFrom }} />
      )}
    </Card>
  )
}

const VALUE_HEIGHT = 'min-h-[2.6875rem] sm:min-h-[3.25rem] xl:min-h-[3.8125rem]'

/** Nothing if there is no price: then only the tokens are shown. */
function BalanceValue({ tokens, price }: { tokens: number; price: ShownPrice }) {
  const { value: tokenPrice, isFailed } = price
  if (isFailed) return <Value value="–" />
  if (tokenPrice === undefined) {
    // Beside the tokens nothing is wider than what it stands for, or they go to the next line.
    const width = tokens === 0 ? 'w-11' : 'w-32'
    return <Skeleton className={classNames(width, VALUE_HEIGHT)} />
  }
  if (tokenPrice === null) return null
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  const value = formatUsd(valueText(units, priceFromWire(tokenPrice), WIRE_DECIMALS))
  const usdValue = usdValueOf(tokens, tokenPrice)
  const exact = usdValue > 0n ? formatUsdExact(formatDecimal(usdValue, USD_DECIMALS)) : value
  return <Value value={value} exact={exact} />
}

function Value({ value, exact = value }: { value: string; exact?: string }) {
  return (
    <div className={classNames('flex items-end', VALUE_HEIGHT)}>
      <Figure value={value} exact={exact} size="poster" />
    </div>
  )
}

interface ValuationProps {
  user: User
  sale: SaleState | undefined
  project: Project | undefined
  price: ShownPrice
  releasedFrom: number | null
}

/** What the value means: at which price it is counted, what was paid, and what is bonus. */
function Valuation({ user, ...basis }: ValuationProps) {
  const dashboard = useDashboardTexts()
  const { base, bonuses } = user.tokens
  const shown = balanceParts(user.tokens)
  return (
    <>
      {basis.price.isFailed ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-14 text-quiet">{dashboard.noPrice}</p>
          <TryAgain price={basis.price} />
        </div>
      ) : (
        <Basis {...basis} />
      )}
      <dl className="mt-auto flex flex-col divide-y divide-hairline [&>*]:py-2">
        {user.paid_amount_fiat > 0 && (
          <LabelledLine label={dashboard.paid}>
            {formatUsdCents(plainDecimal(user.paid_amount_fiat))}
          </LabelledLine>
        )}
        {bonuses > 0 && (
          <>
            <LabelledLine label={dashboard.beforeBonus}>
              <Tokens tokens={base} shown={shown.base} />
            </LabelledLine>
            <LabelledLine label={dashboard.bonusTokens}>
              <Tokens tokens={bonuses} shown={shown.bonuses} />
            </LabelledLine>
          </>
        )}
      </dl>
    </>
  )
}

function Tokens({ tokens, shown }: { tokens: number; shown: string }) {
  return (
    <data value={tokens} title={formatExact(plainDecimal(tokens))}>
      {shown}
    </data>
  )
}

/** By which price the tokens are counted, and that nobody pays it before they are released. */
function Basis({ sale, project, price, releasedFrom }: Omit<ValuationProps, 'user'>) {
  const { valuedAt, notTraded, stages: aName } = useDashboardTexts()
  const saleText = useSaleText(project)
  const { data: stages = [] } = useStages()
  const untilRelease = useCountdown(releasedFrom)
  const note = untilRelease.totalSeconds > 0 && ` ${notTraded(project?.symbol ?? '')}`
  if (sale === undefined || project === undefined) {
    const active = stages.find(({ status }) => status === 'active')?.name
    return (
      <div className="text-14">
        <Skeleton>
          {valuedAt.stage(saleText(active ?? aName))}
          {note}
        </Skeleton>
      </div>
    )
  }
  if (price.value === null) return null
  return (
    <p className="text-14 text-quiet">
      {sale.status === 'ACTIVE'
        ? valuedAt.stage(saleText(sale.stage.name))
        : valuedAt[sale.status === 'ENDED' ? 'final' : 'last']}
      {note}
    </p>
  )
}

function TryAgain({ price }: { price: ShownPrice }) {
  const { ui } = useMessages()
  return (
    <SmallButton onClick={price.retry} isBusy={price.isRetrying}>
      {ui.tryAgain}
    </SmallButton>
  )
}

/** Below the zeros: a link to buy the first tokens, or when that will be possible. */
function Empty({ sale, symbol }: { sale: SaleState | undefined; symbol: string }) {
  const dashboard = useDashboardTexts()
  if (sale?.status === 'ACTIVE') {
    const { token_price: price } = sale.stage
    return (
      <div className="flex flex-1 flex-col items-start gap-4">
        <div className="flex flex-col gap-1">
          <p className="text-20 font-strong">{dashboard.balanceEmpty(symbol)}</p>
          <p className="max-w-prose text-quiet">{emptyText(dashboard, price, symbol)}</p>
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

function emptyText(texts: ReturnType<typeof useDashboardTexts>, value: number, symbol: string) {
  const { price, tokens } = priceAlone(value)
  return texts.balanceEmptyText(price, tokens, symbol)
}

/** As high as the way to the first tokens, at every width. */
function EmptyWaiting({ symbol }: { symbol: string }) {
  const dashboard = useDashboardTexts()
  const price = useExpectedStage()?.current_token_price ?? 0
  return (
    <div className="flex flex-1 flex-col items-start gap-4">
      <div className="flex flex-col gap-1">
        <div className="w-fit text-20 font-strong">
          <Skeleton>{dashboard.balanceEmpty(symbol)}</Skeleton>
        </div>
        <div className="max-w-prose">
          <Skeleton>{emptyText(dashboard, price, symbol)}</Skeleton>
        </div>
      </div>
      <Skeleton className="mt-auto h-11 w-28" />
    </div>
  )
}
