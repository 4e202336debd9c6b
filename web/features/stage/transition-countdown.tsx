import { useCountdown } from '#web/lib/use-countdown.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useSale } from './queries.ts'
import { type SaleState, nextTransitionAt } from './sale-state.ts'

/** How long the stage is still on, or when the sale opens; nothing where no date is announced. */
export function TransitionCountdown({ className = '' }: { className?: string }) {
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
  const until = nextTransitionAt(sale)
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

interface CountdownProps {
  /** The instant it counts down to. */
  until: string
  /** Names it for screen readers, which do not announce every second. */
  label: string
}

/** Days, hours, minutes and seconds left. */
function Countdown({ until, label }: CountdownProps) {
  const left = useCountdown(until)
  const { ui } = useMessages()
  const units = [
    { name: ui.days, value: left.days },
    { name: ui.hours, value: left.hours },
    { name: ui.minutes, value: left.minutes },
    { name: ui.seconds, value: left.seconds },
  ]
  return (
    <div
      role="timer"
      aria-label={label}
      className="flex min-h-[57px] max-w-80 justify-between gap-2"
    >
      {units.map((unit) => (
        <span key={unit.name} className="flex flex-col">
          <span className="tabular text-31 font-strong">{String(unit.value).padStart(2, '0')}</span>
          <span className="text-14 text-quiet">{unit.name}</span>
        </span>
      ))}
    </div>
  )
}
