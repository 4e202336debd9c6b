import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project, Stage } from '#contract/shapes.ts'
import { plainDecimal } from '#domain/money.ts'
import {
  formatExact,
  formatPrice,
  formatPriceLongest,
  formatPriceShort,
} from '#web/lib/format/format.ts'
import { formatTokensCompact, tokensLeft, soldShare } from '#web/lib/format/token-amounts.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { ErrorState, type ErrorStateProps, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { useExpectedStage, useFinalPrice, useSale, useSaleStatus, useStages } from './queries.ts'
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
  const query = useSale()
  const { data: sale, isError } = query
  const status = useSaleStatus()
  if (status === 'ENDED' && !(sale === undefined && isError)) {
    return (
      <Card title={dashboard.finalPrice} className={className}>
        <FinalPrice symbol={symbol} />
      </Card>
    )
  }
  if (sale === undefined || sale.status === 'ENDED') {
    return (
      <Card className={className}>
        {isError ? <Failed query={query} /> : <StageWaiting symbol={symbol} saleText={saleText} />}
      </Card>
    )
  }
  switch (sale.status) {
    case 'ACTIVE':
      return (
        <Card title={saleText(sale.stage.name)} className={className}>
          <Price
            value={sale.stage.token_price}
            symbol={symbol}
            isMoving={sale.stage.type === 'dynamic'}
          />
          <StageSupply stage={sale.stage} saleText={saleText} />
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

function Failed(props: Pick<ErrorStateProps, 'query'>) {
  const dashboard = useDashboardTexts()
  return (
    <ErrorState title={dashboard.failed} {...props}>
      {dashboard.failedText}
    </ErrorState>
  )
}

function FinalPrice({ symbol }: { symbol: string }) {
  const dashboard = useDashboardTexts()
  const query = useFinalPrice()
  const { data } = query
  const lastPrice = useExpectedStage()?.final_token_price ?? 1
  if (data === undefined && query.isError) return <Failed query={query} />
  return (
    <>
      <Price
        value={data?.final_price ?? lastPrice}
        symbol={symbol}
        isWaiting={data === undefined}
      />
      <p className="text-quiet">{dashboard.endedText}</p>
      <WholeSale />
    </>
  )
}

/** The total of all stages, if they are known. */
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
  /** It has room for more digits, as it moves with each purchase. */
  isMoving?: boolean
  isWaiting?: boolean
}

function Price({
  value,
  symbol,
  size = 'medium',
  isMoving = false,
  isWaiting = false,
}: PriceProps) {
  const text = isMoving ? formatPriceShort(value) : formatPrice(value)
  const look = { unit: `/ ${symbol}`, size, isFitted: true }
  const room = isMoving ? formatPriceLongest(value) : text
  return (
    <div className="@container grid [&>*]:[grid-area:1/1]">
      <Figure value={room} {...look} as={isWaiting ? 'skeleton' : 'room'} />
      {!isWaiting && (
        <Figure value={text} exact={`$${formatExact(plainDecimal(value))}`} {...look} />
      )}
    </div>
  )
}

interface OpeningProps {
  symbol: string
  /** Turns a text of the sale file into the language of the page. */
  saleText: (text: string) => string
}

/** What a token will cost at first, if the plan of the sale is known. */
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
  stage: Pick<Stage, 'total_tokens' | 'sold_tokens'>
  saleText: (text: string) => string
}

function StageSupply({ stage, saleText }: StageSupplyProps) {
  const dashboard = useDashboardTexts()
  const lines = useSupplyLines({ stage, saleText })
  const { total_tokens: total, sold_tokens: sold } = stage
  const label = sold === 0 ? dashboard.noneSold : dashboard.soldShare(soldShare(sold, total))
  return (
    <div className="flex flex-col gap-2">
      <div
        role="img"
        aria-label={label}
        className="h-2 overflow-hidden rounded-pill bg-edge/50 forced-color-adjust-none"
      >
        {sold > 0 && (
          <div
            className="h-full min-w-1 rounded-pill bg-accent transition-[width]"
            style={{ width: `${(Math.min(sold, total) / total) * 100}%` }}
          />
        )}
      </div>
      <dl className={SUPPLY_LINES}>
        {lines.map(({ label: name, value, exact, text }) => (
          <LabelledLine key={name} label={name}>
            <data value={value} title={exact}>
              {text}
            </data>
          </LabelledLine>
        ))}
      </dl>
    </div>
  )
}

const SUPPLY_LINES = 'flex flex-col divide-y divide-hairline [&>*]:py-2'

/** How much of a stage there is, is left and is sold, and what a token costs in the next one. */
function useSupplyLines({ stage, saleText }: StageSupplyProps) {
  const dashboard = useDashboardTexts()
  const next = nextStage(useStages().data ?? [])
  const { total_tokens: total, sold_tokens: sold } = stage
  const line = (label: string, value: number, text: string) => {
    return { label, value, exact: formatExact(plainDecimal(value)), text }
  }
  const left = tokensLeft(total, sold)
  const lines = [
    line(dashboard.stageTokens, total, formatTokensCompact(total)),
    line(dashboard.left, left, formatTokensCompact(left)),
    line(dashboard.sold, sold, sold === 0 ? dashboard.noneSold : soldShare(sold, total)),
  ]
  if (next === null) return lines
  const { token_price: value } = next
  const exact = `$${formatExact(plainDecimal(value))}`
  const label = dashboard.thenIn(saleText(next.name))
  return [...lines, { label, value, exact, text: formatPrice(value) }]
}

/** As high as what replaces it, at every width and with every price. */
function StageWaiting(props: OpeningProps) {
  const stage = useExpectedStage()
  return stage === undefined ? (
    <Skeleton className="h-44" />
  ) : (
    <StageRoom {...props} stage={stage} />
  )
}

function StageRoom({ stage, symbol, saleText }: OpeningProps & { stage: ListedStage }) {
  const lines = useSupplyLines({ stage, saleText })
  return (
    <>
      <div className="w-fit max-w-full font-strong">
        <Skeleton>{saleText(stage.name)}</Skeleton>
      </div>
      <Price
        value={stage.current_token_price}
        symbol={symbol}
        isMoving={stage.type === 'dynamic'}
        isWaiting
      />
      <div aria-hidden="true" className="flex flex-col gap-2">
        <Skeleton className="h-2" />
        <dl className={SUPPLY_LINES}>
          {lines.map(({ label, text }) => (
            <LabelledLine key={label} label={<Skeleton>{label}</Skeleton>}>
              <Skeleton>{text}</Skeleton>
            </LabelledLine>
          ))}
        </dl>
      </div>
    </>
  )
}
