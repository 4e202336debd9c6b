import type { Stage } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import { formatPriceShort, formatExact } from '#web/lib/format/format.ts'
import { formatTokensCompact, tokensLeft, soldShare } from '#web/lib/format/token-amounts.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Figure } from '#web/ui/layout/figure.tsx'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { useFinalPrice, useSale } from './queries.ts'

interface StageCardProps {
  symbol: string
  className?: string
}

/** The stage on sale: its name, its price, and how much of it is left; or why there is none. */
export function StageCard({ symbol, className = '' }: StageCardProps) {
  const dashboard = useDashboardTexts()
  const { data: sale, isError, isFetching, refetch } = useSale()
  if (sale === undefined) {
    return (
      <Card className={className}>
        {isError ? (
          <Failed onRetry={() => void refetch()} isRetrying={isFetching} />
        ) : (
          <StageWaiting />
        )}
      </Card>
    )
  }
  switch (sale.status) {
    case 'ACTIVE':
      return (
        <Card title={sale.stage.name} className={className}>
          <Price value={sale.stage.token_price} symbol={symbol} />
          <StageSupply stage={sale.stage} />
        </Card>
      )
    case 'ENDED':
      return (
        <Card title={dashboard.finalPrice} className={className}>
          <FinalPrice symbol={symbol} />
        </Card>
      )
    case 'PAUSED':
      return (
        <Card title={dashboard.paused} className={className}>
          <p className="text-quiet">{dashboard.pausedText}</p>
        </Card>
      )
    case 'NOT_STARTED':
      return (
        <Card
          title={sale.isBetweenStages ? dashboard.nextStageNotStarted : dashboard.notStarted}
          className={className}
        >
          <p className="text-quiet">{dashboard.notStartedText}</p>
        </Card>
      )
  }
}

function Failed({ onRetry, isRetrying }: { onRetry: () => void; isRetrying: boolean }) {
  const dashboard = useDashboardTexts()
  return (
    <ErrorState title={dashboard.failed} onRetry={onRetry} isRetrying={isRetrying}>
      {dashboard.failedText}
    </ErrorState>
  )
}

function FinalPrice({ symbol }: { symbol: string }) {
  const dashboard = useDashboardTexts()
  const { data, isError, isFetching, refetch } = useFinalPrice()
  if (data === undefined && isError) {
    return <Failed onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  return (
    <>
      {data === undefined ? (
        <Skeleton className="h-[30px] w-40" />
      ) : (
        <Price value={data.final_price} symbol={symbol} />
      )}
      <p className="text-quiet">{dashboard.endedText}</p>
    </>
  )
}

function Price({ value, symbol }: { value: number; symbol: string }) {
  return (
    <Figure
      value={formatPriceShort(value)}
      exact={`$${formatExact(plainDecimal(value))}`}
      unit={`/ ${symbol}`}
      size="medium"
    />
  )
}

/** In a card that the ones beside it make higher, its lines share the height. */
function StageSupply({ stage }: { stage: Stage }) {
  const dashboard = useDashboardTexts()
  const { total_tokens: total, sold_tokens: sold } = stage
  const share = soldShare(sold, total)
  const leftTokens = tokensLeft(total, sold)
  return (
    <div className="flex flex-1 flex-col gap-2">
      <div
        role="img"
        aria-label={sold === 0 ? dashboard.noneSold : dashboard.soldShare(share)}
        className="h-2 overflow-hidden rounded-pill bg-edge/50 forced-color-adjust-none"
      >
        {sold > 0 && (
          <div
            className="h-full min-w-1 rounded-pill bg-accent transition-[width]"
            style={{ width: `${(Math.min(sold, total) / total) * 100}%` }}
          />
        )}
      </div>
      <dl className="flex flex-1 flex-col divide-y divide-hairline [&>*]:flex-1 [&>*]:items-center [&>*]:py-2">
        <LabelledLine label={dashboard.stageTokens}>
          <data value={total} title={formatExact(plainDecimal(total))}>
            {formatTokensCompact(total)}
          </data>
        </LabelledLine>
        <LabelledLine label={dashboard.left}>
          <data value={leftTokens} title={formatExact(plainDecimal(leftTokens))}>
            {formatTokensCompact(leftTokens)}
          </data>
        </LabelledLine>
        <LabelledLine label={dashboard.sold}>
          <data value={sold} title={formatExact(plainDecimal(sold))}>
            {sold === 0 ? dashboard.noneSold : `${formatTokensCompact(sold)} · ${share}`}
          </data>
        </LabelledLine>
      </dl>
    </div>
  )
}

/** As high as what comes. */
function StageWaiting() {
  return (
    <>
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-[30px] w-48" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-2" />
        <Skeleton className="min-h-[122px] flex-1" />
      </div>
    </>
  )
}
