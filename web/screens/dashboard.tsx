import { Suspense } from 'react'
import { PriceChartCard } from '#web/features/price-chart/price-chart-card.tsx'
import { useLastPrice } from '#web/features/price-chart/queries.ts'
import { useProject } from '#web/features/project/queries.ts'
import { TransactionList } from '#web/features/purchase/transactions/transaction-list.tsx'
import { useSale, useTokenPrice } from '#web/features/stage/queries.ts'
import { nextTransitionAt } from '#web/features/stage/sale-state.ts'
import { StageCard } from '#web/features/stage/stage-card.tsx'
import { TokenBalance } from '#web/features/stage/token-balance.tsx'
import { TransitionCountdown } from '#web/features/stage/transition-countdown.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton, TextLink } from '#web/ui/actions/links.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { useOpenTransaction } from './use-open-transaction.ts'

const PurchaseDialog = lazyComponent(
  async () => (await import('./purchase-dialog.tsx')).PurchaseDialog,
)

/** The balance and its value, the stage and its price, and the latest purchases. */
export function DashboardScreen() {
  const dashboard = useDashboardTexts()
  const project = useProject()
  const user = useUser()
  const { data: sale, isPending } = useSale()
  const tokenPrice = useShownPrice()
  const transaction = useOpenTransaction()
  const symbol = project?.symbol ?? ''
  const isOnSale = sale?.status === 'ACTIVE'
  const hasChart = sale === undefined || (isOnSale && sale.stage.type === 'dynamic')
  const hasCountdown = isPending || nextTransitionAt(sale) !== null
  if (user === null) return null
  const look = gridLooks[hasChart ? 'chart' : 'plain'][hasCountdown ? 'countdown' : 'open']
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        aside={
          isOnSale &&
          user.tokens.total > 0 && <LinkButton to={paths.buy}>{dashboard.buy(symbol)}</LinkButton>
        }
      >
        {dashboard.heading}
      </PageHeading>
      <div className="grid gap-4 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] md:grid-rows-[auto_1fr_auto] lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <TokenBalance
          tokens={user.tokens}
          symbol={project?.symbol}
          tokenPrice={tokenPrice}
          className={look.balance}
        />
        <StageCard symbol={symbol} className={look.stage} />
        <TransitionCountdown className={look.countdown} />
        {hasChart && <PriceChartCard symbol={symbol} className={CHART_LOOK} />}
      </div>
      <TransactionList
        title={dashboard.recent}
        projectSymbol={symbol}
        onOpen={transaction.open}
        aside={
          <TextLink to={paths.buy} className="relative after:absolute after:-inset-2.5">
            {dashboard.recentAll}
          </TextLink>
        }
        isSaleOver={sale?.status === 'ENDED'}
      />
      {project !== undefined && transaction.id !== null && (
        <Suspense fallback={null}>
          <PurchaseDialog id={transaction.id} project={project} onClose={transaction.close} />
        </Suspense>
      )}
    </div>
  )
}

/** A price for the buyer's tokens also while nothing is on sale: the last one. */
function useShownPrice(): number | null | undefined {
  const { data: sale } = useSale()
  const tokenPrice = useTokenPrice()
  const isClosed = sale?.status === 'PAUSED' || sale?.status === 'NOT_STARTED'
  const lastPrice = useLastPrice({ isEnabled: isClosed })
  return isClosed ? lastPrice : (tokenPrice ?? undefined)
}

const CHART_LOOK = 'md:col-start-1 md:row-start-2 md:row-end-4'
const FULL_HEIGHT = 'md:row-start-1 md:row-end-4'
const TOP = 'md:row-start-1 md:row-end-2'

/**
 * Where the cards stand beside each other, so that both columns end at one height and only what
 * gains by room is stretched: by whether there is a chart, and whether there is a countdown.
 */
const gridLooks = {
  chart: {
    countdown: {
      balance: TOP,
      stage: 'md:col-start-2 md:row-start-1 md:row-end-3',
      countdown: 'md:col-start-2 md:row-start-3',
    },
    open: { balance: TOP, stage: `md:col-start-2 ${FULL_HEIGHT}`, countdown: '' },
  },
  plain: {
    countdown: {
      balance: TOP,
      stage: `md:col-start-2 ${FULL_HEIGHT}`,
      countdown: 'md:col-start-1 md:row-start-2 md:row-end-4',
    },
    open: { balance: FULL_HEIGHT, stage: `md:col-start-2 ${FULL_HEIGHT}`, countdown: '' },
  },
}
