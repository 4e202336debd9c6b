import type { Project } from '#contract/shapes.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useSale } from './queries.ts'
import { type SaleState, nextTransitionAt } from './sale-state.ts'

interface TransitionCountdownProps {
  /** Names the stage in the language of the page. */
  project?: Project | undefined
  className?: string
}

/** How long the stage is still on, or when the sale opens; nothing where no date is announced. */
export function TransitionCountdown({ project, className = '' }: TransitionCountdownProps) {
  const dashboard = useDashboardTexts()
  const saleText = useSaleText(project)
  const { data: sale, isPending } = useSale()
  if (sale === undefined && isPending) {
    return (
      <Card className={className}>
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-[3.5625rem] max-w-80" />
      </Card>
    )
  }
  const until = nextTransitionAt(sale)
  if (sale === undefined || until === null) return null
  const title = titleOf(sale, dashboard, saleText)
  return (
    <Card title={title} className={className}>
      <Countdown until={until} label={title} />
    </Card>
  )
}

function titleOf(
  sale: SaleState,
  texts: ReturnType<typeof useDashboardTexts>,
  saleText: (text: string) => string,
): string {
  if (sale.status === 'ACTIVE') return texts.endsIn(saleText(sale.stage.name))
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
      className="flex min-h-[3.5625rem] max-w-80 flex-wrap justify-between gap-x-2 gap-y-2"
    >
      {units.map((unit) => (
        <span key={unit.name} className="flex flex-col">
          <span className="tabular text-31 font-strong">{String(unit.value).padStart(2, '0')}</span>
          <span className="text-12 text-quiet xl:text-14">{unit.name}</span>
        </span>
      ))}
    </div>
  )
}
