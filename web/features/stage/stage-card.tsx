import type { Stage } from '#contract/shapes.ts'
import { formatCompact, formatExact } from '#web/lib/format.ts'
import { formatPrice } from '#web/lib/format-price.ts'
import { plainDecimal } from '#domain/money.ts'

import { useMessages } from '#web/messages/use-messages.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Figure } from '#web/ui/figure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LabelledLine } from '#web/ui/list.tsx'
import type { SaleState } from './sale-state.ts'
import { soldShare } from './sold-share.ts'

interface StageCardProps {
  /** Undefined while it loads. */
  sale: SaleState | undefined
  isFailed: boolean
  onRetry: () => void
  symbol: string
  /** The final price once the sale has ended; null while it is not known. */
  tokenPrice: number | null
  className?: string
}

/** The stage on sale: its name, its price, and how much of it is left. */
export function StageCard(props: StageCardProps) {
  const { sale, isFailed, onRetry, symbol, tokenPrice, className = '' } = props
  const { dashboard } = useMessages()
  if (sale === undefined) {
    return (
      <Card className={className}>
        {isFailed ? (
          <ErrorState title={dashboard.failed} onRetry={onRetry}>
            {dashboard.failedText}
          </ErrorState>
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
          {tokenPrice === null ? (
            <Skeleton className="h-10" />
          ) : (
            <Price value={tokenPrice} symbol={symbol} />
          )}
          <p className="text-quiet">{dashboard.endedText}</p>
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
        <Card title={dashboard.notStarted} className={className}>
          <p className="text-quiet">{dashboard.notStartedText}</p>
        </Card>
      )
  }
}

function Price({ value, symbol }: { value: number; symbol: string }) {
  return (
    <Figure
      value={formatPrice(value)}
      exact={`$${formatExact(plainDecimal(value))}`}
      unit={`/ ${symbol}`}
      size="medium"
    />
  )
}

function StageSupply({ stage }: { stage: Stage }) {
  const { dashboard } = useMessages()
  const { total_tokens: total, sold_tokens: sold } = stage
  const share = soldShare(sold, total)
  const leftTokens = Math.max(0, Math.round(total - sold))
  return (
    <div className="flex flex-1 flex-col gap-2">
      <div
        role="img"
        aria-label={sold === 0 ? dashboard.noneSold : dashboard.soldShare(share)}
        className="h-2 overflow-hidden rounded-pill bg-edge/50"
      >
        {sold > 0 && (
          <div
            className="h-full min-w-1 rounded-pill bg-accent"
            style={{ width: `${(Math.min(sold, total) / total) * 100}%` }}
          />
        )}
      </div>
      <dl className="flex flex-1 flex-col divide-y divide-hairline [&>*]:flex-1 [&>*]:items-center">
        <LabelledLine label={dashboard.stageTokens}>
          <data value={total} title={formatExact(plainDecimal(total))}>
            {formatCompact(total)}
          </data>
        </LabelledLine>
        <LabelledLine label={dashboard.left}>
          <data value={leftTokens} title={formatExact(plainDecimal(leftTokens))}>
            {formatCompact(leftTokens)}
          </data>
        </LabelledLine>
        <LabelledLine label={dashboard.sold}>
          <data value={sold} title={formatExact(plainDecimal(sold))}>
            {sold === 0 ? dashboard.noneSold : `${formatCompact(Math.round(sold))} · ${share}`}
          </data>
        </LabelledLine>
      </dl>
    </div>
  )
}

function StageWaiting() {
  return (
    <>
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-11 w-48" />
      <Skeleton className="h-2" />
      <Skeleton className="h-14" />
    </>
  )
}
