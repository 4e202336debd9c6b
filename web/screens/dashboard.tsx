import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { FirstSteps } from '#web/features/account/verification/first-steps.tsx'
import { DeliverySkeleton } from '#web/features/delivery/delivery-skeleton.tsx'
import { OwnReleasePlan } from '#web/features/offer/own-release-plan.tsx'
import { firstReleaseAt } from '#web/features/offer/release-steps.ts'
import { PriceChartCard } from '#web/features/price-chart/price-chart-card.tsx'
import { useLastPrice } from '#web/features/price-chart/queries.ts'
import { PriceLadder } from '#web/features/price-ladder/price-ladder.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { useCompletedPurchases } from '#web/features/purchase/completed-purchases.ts'
import { TransactionList } from '#web/features/purchase/transactions/transaction-list.tsx'
import { useTransactionPage } from '#web/features/purchase/transactions/transaction-queries.ts'
import {
  useFinalPrice,
  useSale,
  useSaleStatus,
  useStages,
  useTokenPrice,
} from '#web/features/stage/queries.ts'
import { nextTransitionAt } from '#web/features/stage/sale-state.ts'
import { StageCard } from '#web/features/stage/stage-card.tsx'
import { type ShownPrice, TokenBalance } from '#web/features/stage/token-balance.tsx'
import { TransitionCountdown } from '#web/features/stage/transition-countdown.tsx'
import { formatNumber } from '#web/lib/format/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton, TextLink } from '#web/ui/actions.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { useOpenTransaction } from './use-open-transaction.ts'

const AlreadyLoggedIn = lazyComponent(
  () => import('#web/features/account/sign-in/already-logged-in.tsx'),
  'AlreadyLoggedIn',
)

const OwnTokens = lazyComponent(() => import('./own-tokens.tsx'), 'OwnTokens')

const PurchaseDialog = lazyComponent(() => import('./purchase-dialog.tsx'), 'PurchaseDialog')

/**
 * The balance and its value, the stage, and the latest purchases, which may wait to be paid; then
 * the plan of the sale, and of when the tokens come.
 */
export function DashboardScreen() {
  const dashboard = useDashboardTexts()
  const project = useProject()
  const user = useUser()
  const status = useSaleStatus()
  const transaction = useOpenTransaction()
  const isListed = !useTransactionPage('all', {}).isPending
  const symbol = project?.symbol ?? ''
  if (user === null) return null
  const hasTokens = user.tokens.total > 0
  const hasDelivery = project !== undefined && project.delivery !== null
  const plan = project !== undefined && project.vesting !== null && hasTokens && (
    <Card title={dashboard.releasePlan}>
      <OwnReleasePlan project={project} tokens={user.tokens.total} />
    </Card>
  )
  // Only if there is something below it, which must not move.
  const skeleton = status === 'ENDED' && (
    <DeliverySkeleton tokens={`${formatNumber(user.tokens.total)} ${symbol}`} />
  )
  const deliveries = hasTokens && hasDelivery && (
    <Suspense fallback={skeleton}>
      <OwnTokens symbol={symbol} skeleton={skeleton} />
    </Suspense>
  )
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        aside={
          status === 'ACTIVE' &&
          hasTokens && <LinkButton to={paths.buy}>{dashboard.buy(symbol)}</LinkButton>
        }
      >
        {dashboard.heading}
      </PageHeading>
      <WhyHere />
      <FirstSteps
        user={user}
        symbol={symbol}
        purchases={status === 'ENDED' ? 'never' : isClosed(status) ? 'later' : 'now'}
      />
      {status === 'ENDED' && deliveries}
      {status === 'ENDED' && plan}
      <SaleCards />
      <TransactionList
        title={dashboard.recent}
        projectSymbol={symbol}
        onOpen={transaction.open}
        aside={
          <TextLink to={paths.buy} className="relative after:absolute after:-inset-2.5">
            {dashboard.recentAll}
          </TextLink>
        }
        isSaleOver={status === 'ENDED'}
      />
      {/* Only once the list has its rows, which may be fewer than the room kept for them: nothing
          below it may move. */}
      {isListed && status !== 'NOT_STARTED' && <AllStages />}
      {isListed && status !== 'ENDED' && plan}
      {isListed && status !== 'ENDED' && deliveries}
      {project !== undefined && transaction.id !== null && (
        <Suspense fallback={null}>
          <PurchaseDialog id={transaction.id} project={project} onClose={transaction.close} />
        </Suspense>
      )}
    </div>
  )
}

/** Why somebody is here who asked for another page, where that is not plain. */
function WhyHere() {
  const insteadOf = useLocation().state?.insteadOf
  if (insteadOf !== paths.resetPassword && insteadOf !== paths.forgotPassword) return null
  return (
    <Suspense fallback={null}>
      <AlreadyLoggedIn />
    </Suspense>
  )
}

/** The cards about the sale and the buyer's share of it, beside each other on wide screens. */
function SaleCards() {
  const project = useProject()
  const user = useUser()
  const { data: sale, isPending } = useSale()
  const status = useSaleStatus()
  const price = useShownPrice()
  const hasChart =
    sale === undefined
      ? status === null || status === 'ACTIVE'
      : sale.status === 'ACTIVE' && sale.stage.type === 'dynamic'
  const hasCountdown = isPending ? status !== 'ENDED' : nextTransitionAt(sale) !== null
  if (user === null) return null
  const look = looks[hasChart ? 'chart' : arrangements[status ?? 'ACTIVE']]
  const symbol = project?.symbol ?? ''
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <TokenBalance
        user={user}
        project={project}
        price={price}
        releasedFrom={firstReleaseAt(project?.vesting ?? null, null)?.getTime() ?? null}
        className={look.balance}
      />
      <StageCard project={project} className={hasCountdown ? look.stage : look.stageAlone} />
      <TransitionCountdown project={project} isTall={hasChart} className={look.countdown} />
      {hasChart && (
        <PriceChartCard symbol={symbol} className={hasCountdown ? look.chart : WHOLE_WIDTH} />
      )}
      {status === 'NOT_STARTED' && <AllStages className={WHOLE_WIDTH} />}
    </div>
  )
}

/** The plan of the whole sale, and the buyer's purchases in it. */
function AllStages({ className = '' }: { className?: string }) {
  const dashboard = useDashboardTexts()
  const project = useProject()
  const saleText = useSaleText(project)
  const hasBought = (useUser()?.tokens.total ?? 0) > 0
  const { data: stages = [] } = useStages()
  const purchases = useCompletedPurchases({ isEnabled: hasBought && stages.length > 0 })
  if (stages.length === 0) return null
  return (
    <Card title={dashboard.allStages} className={className}>
      <PriceLadder
        stages={stages.map((stage) => ({ ...stage, name: saleText(stage.name) }))}
        symbol={project?.symbol ?? ''}
        size="card"
        purchases={purchases}
      />
    </Card>
  )
}

function isClosed(status: ReturnType<typeof useSaleStatus>): boolean {
  return status === 'PAUSED' || status === 'NOT_STARTED'
}

/** A price for the buyer's tokens even while nothing is on sale: the last one. */
function useShownPrice(): ShownPrice {
  const sale = useSale()
  const final = useFinalPrice()
  const tokenPrice = useTokenPrice()
  const isWithout = isClosed(sale.data?.status ?? null)
  const lastPrice = useLastPrice({ isEnabled: isWithout })
  const asked = sale.data?.status === 'ENDED' ? final : sale
  return {
    value: isWithout ? lastPrice : (tokenPrice ?? undefined),
    isFailed: asked.data === undefined && asked.isError,
    isRetrying: asked.isFetching,
    retry: () => void asked.refetch(),
  }
}

const WHOLE_WIDTH = 'md:col-span-2'

/** If the cards are side by side: pairs of about the same height, so that none is stretched. */
const looks = {
  chart: {
    balance: '',
    stage: '',
    stageAlone: '',
    countdown: 'md:col-start-2 md:row-start-2',
    chart: 'md:col-start-1 md:row-start-2',
  },
  plain: { balance: '', stage: '', stageAlone: '', countdown: WHOLE_WIDTH, chart: '' },
  /** The notice that nothing can be bought comes first, on its own line. */
  paused: {
    balance: WHOLE_WIDTH,
    stage: 'md:col-span-2 md:row-start-1',
    stageAlone: 'md:col-span-2 md:row-start-1',
    countdown: WHOLE_WIDTH,
    chart: '',
  },
  /** Before the start the plan comes first. */
  plan: {
    balance: 'md:col-span-2 md:row-start-3',
    stage: 'md:col-start-1 md:row-start-1',
    stageAlone: 'md:col-span-2 md:row-start-1',
    countdown: 'md:col-start-2 md:row-start-1',
    chart: '',
  },
}

const arrangements = {
  NOT_STARTED: 'plan',
  ACTIVE: 'plain',
  PAUSED: 'paused',
  ENDED: 'plain',
} as const
