import { Suspense } from 'react'
import { PriceChartCard } from '#web/features/price-chart/price-chart-card.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { TransactionList } from '#web/features/purchase/transaction-list.tsx'
import { useSale, useTokenPrice } from '#web/features/stage/queries.ts'
import { StageCard } from '#web/features/stage/stage-card.tsx'
import { TokenBalance } from '#web/features/stage/token-balance.tsx'
import { TurnCountdown } from '#web/features/stage/turn-countdown.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useOpenTransaction } from './use-open-transaction.ts'

const TransactionDialog = lazyComponent(
  async () => (await import('#web/features/purchase/transaction-dialog.tsx')).TransactionDialog,
)

/** What I have and what it is worth, the stage and its price, what my last purchases are doing. */
export function DashboardScreen() {
  const { dashboard } = useMessages()
  const project = useProject()
  const user = useUser()
  const { data: sale, isError, refetch } = useSale()
  const tokenPrice = useTokenPrice()
  const transaction = useOpenTransaction()
  const symbol = project?.symbol ?? ''
  const isOnSale = sale?.status === 'ACTIVE'
  const hasChart = sale === undefined || (isOnSale && sale.stage.type === 'dynamic')
  const hasTokens = user !== null && user.tokens.total > 0
  if (user === null) return null
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        aside={
          isOnSale && hasTokens && <LinkButton to={paths.buy}>{dashboard.buy(symbol)}</LinkButton>
        }
      >
        {dashboard.heading}
      </PageHeading>
      <div className="grid gap-4 lg:grid-cols-3">
        <TokenBalance
          tokens={user.tokens}
          symbol={project?.symbol}
          tokenPrice={tokenPrice}
          isOnSale={isOnSale}
          className="lg:col-span-2"
        />
        <StageCard
          sale={sale}
          isFailed={isError}
          onRetry={() => void refetch()}
          symbol={symbol}
          tokenPrice={tokenPrice}
          className="lg:row-span-2"
        />
        {hasChart ? (
          <>
            <TurnCountdown className="lg:order-1" />
            <PriceChartCard symbol={symbol} className="lg:col-span-2 lg:row-span-2" />
          </>
        ) : (
          <TurnCountdown className="lg:col-span-2" />
        )}
      </div>
      <TransactionList
        title={dashboard.recent}
        projectSymbol={symbol}
        onOpen={transaction.open}
        aside={<TextLink to={paths.buy}>{dashboard.recentAll}</TextLink>}
        isNewestOnly
      />
      {project !== undefined && transaction.id !== null && (
        <Suspense fallback={null}>
          <TransactionDialog id={transaction.id} project={project} onClose={transaction.close} />
        </Suspense>
      )}
    </div>
  )
}
