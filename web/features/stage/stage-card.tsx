import type { Project, Stage } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import { formatPriceShort, formatExact } from '#web/lib/format/format.ts'
import { formatTokensCompact, tokensLeft, soldShare } from '#web/lib/format/token-amounts.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Figure } from '#web/ui/layout/figure.tsx'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { useFinalPrice, useSale, useStages } from './queries.ts'
import { nextStage } from './sale-state.ts'

interface StageCardProps {
  /** Undefined while it loads. */
  project: Project | undefined
  className?: string
}

/** The stage on sale: its name, its price, and how much of it is left; or why there is none. */
export function StageCard({ project, className = '' }: StageCardProps) {
  const dashboard = useDashboardTexts()
  const saleText = useSaleText(project)
  const symbol = project?.symbol ?? ''
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
        <Card title={saleText(sale.stage.name)} className={className}>
          <Price value={sale.stage.token_price} symbol={symbol} />
          <StageSupply stage={sale.stage} saleText={saleText} />
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
          <Opening symbol={symbol} saleText={saleText} />
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
        <Skeleton className="h-[1.875rem] w-40" />
      ) : (
        <Price value={data.final_price} symbol={symbol} />
      )}
      <p className="text-quiet">{dashboard.endedText}</p>
      <WholeSale />
    </>
  )
}

/** What all stages together came to, where they are known. */
function WholeSale() {
  const dashboard = useDashboardTexts()
  const { data: stages = [] } = useStages()
  if (stages.length === 0) return null
  const total = stages.reduce((sum, stage) => sum + stage.total_tokens, 0)
  const sold = stages.reduce((sum, stage) => sum + stage.sold_tokens, 0)
  return (
    <dl className="mt-auto flex flex-col divide-y divide-hairline [&>*]:py-2">
      <LabelledLine label={dashboard.stages}>{stages.length}</LabelledLine>
      <LabelledLine label={dashboard.allTokens}>{formatTokensCompact(total)}</LabelledLine>
      <LabelledLine label={dashboard.allSold}>
        {`${formatTokensCompact(sold)} · ${soldShare(sold, total)}`}
      </LabelledLine>
    </dl>
  )
}

interface PriceProps {
  value: number
  symbol: string
  size?: 'large' | 'medium'
}

function Price({ value, symbol, size = 'medium' }: PriceProps) {
  return (
    <Figure
      value={formatPriceShort(value)}
      exact={`$${formatExact(plainDecimal(value))}`}
      unit={`/ ${symbol}`}
      size={size}
    />
  )
}

interface OpeningProps {
  symbol: string
  /** Turns a text of the sale file into the language of the page. */
  saleText: (text: string) => string
}

/** What a token will cost at first, where the plan of the sale is known. */
function Opening({ symbol, saleText }: OpeningProps) {
  const dashboard = useDashboardTexts()
  const next = nextStage(useStages().data ?? [])
  if (next === null) return <p className="text-quiet">{dashboard.notStartedText}</p>
  return (
    <div className="flex flex-col gap-1">
      <p className="text-14 text-quiet">{dashboard.opensAt(saleText(next.name))}</p>
      <Price value={next.token_price} symbol={symbol} size="large" />
    </div>
  )
}

interface StageSupplyProps {
  stage: Stage
  saleText: (text: string) => string
}

function StageSupply({ stage, saleText }: StageSupplyProps) {
  const dashboard = useDashboardTexts()
  const next = nextStage(useStages().data ?? [])
  const { total_tokens: total, sold_tokens: sold } = stage
  const share = soldShare(sold, total)
  const leftTokens = tokensLeft(total, sold)
  return (
    <div className="flex flex-col gap-2">
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
      <dl className="flex flex-col divide-y divide-hairline [&>*]:py-2">
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
        {next !== null && (
          <LabelledLine label={dashboard.thenIn(saleText(next.name))}>
            <data
              value={next.token_price}
              title={`$${formatExact(plainDecimal(next.token_price))}`}
            >
              {formatPriceShort(next.token_price)}
            </data>
          </LabelledLine>
        )}
      </dl>
    </div>
  )
}

/** As high as what comes. */
function StageWaiting() {
  const lines = nextStage(useStages().data ?? []) === null ? 3 : 4
  return (
    <>
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-[1.875rem] w-48" />
      <div className="flex flex-col gap-2">
        <Skeleton className="h-2" />
        <div className="flex flex-col divide-y divide-hairline">
          {Array.from({ length: lines }, (_, line) => (
            <div key={line} className="py-2">
              <Skeleton className="h-6" />
            </div>
          ))}
        </div>
      </div>
    </>
  )
}
