import { useDashboardTexts } from '#web/messages/en/dashboard.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { Countdown } from '#web/ui/feedback/countdown.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { useSale } from './queries.ts'
import { type SaleState, turnOf } from './sale-state.ts'

/** How long the stage is still on, or when the sale opens; nothing where no date is announced. */
export function TurnCountdown({ className = '' }: { className?: string }) {
  const dashboard = useDashboardTexts()
  const { data: sale, isPending } = useSale()
  if (sale === undefined && isPending) {
    return (
      <Card className={className}>
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-[57px] max-w-80" />
      </Card>
    )
  }
  const until = turnOf(sale)
  if (sale === undefined || until === null) return null
  const title = titleOf(sale, dashboard)
  return (
    <Card title={title} className={className}>
      <Countdown until={until} label={title} />
    </Card>
  )
}

function titleOf(sale: SaleState, texts: ReturnType<typeof useDashboardTexts>): string {
  if (sale.status === 'ACTIVE') return texts.endsIn(sale.stage.name)
  const isNext = sale.status === 'NOT_STARTED' && sale.isBetweenStages
  return isNext ? texts.nextStageIn : texts.startsIn
}
