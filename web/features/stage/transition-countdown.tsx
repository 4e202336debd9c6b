import type { Project } from '#contract/shapes.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { useSale } from './queries.ts'
import { type SaleState, nextTransitionAt } from './sale-state.ts'

interface TransitionCountdownProps {
  /** Names the stage in the language of the page. */
  project?: Project | undefined
  /** On wide windows it stands beside something high, and fills the same height. */
  isTall?: boolean
  className?: string
}

/** How long the stage is still on, or when the sale opens; nothing where no date is announced. */
export function TransitionCountdown(props: TransitionCountdownProps) {
  const { project, isTall = false, className = '' } = props
  const dashboard = useDashboardTexts()
  const saleText = useSaleText(project)
  const { data: sale, isPending } = useSale()
  if (sale === undefined && isPending) {
    return (
      <Card className={className}>
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-[3.5625rem] max-w-80" />
        <div className="text-14">
          <SkeletonText characters={24} />
        </div>
      </Card>
    )
  }
  const until = nextTransitionAt(sale)
  if (sale === undefined || until === null) return null
  const title = titleOf(sale, dashboard, saleText)
  return (
    <Card title={title} className={className}>
      <div
        className={classNames(
          'flex flex-wrap items-end justify-between gap-x-8 gap-y-4',
          isTall && 'md:flex-1 md:flex-col md:flex-nowrap md:items-stretch',
        )}
      >
        <Countdown until={until} label={title} isTall={isTall} />
        <p className="tabular text-14 text-quiet">
          {(sale.status === 'ACTIVE' ? dashboard.until : dashboard.on)(formatDate(until))}
        </p>
      </div>
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
  isTall: boolean
}

/** Days, hours, minutes and seconds left. */
function Countdown({ until, label, isTall }: CountdownProps) {
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
      className={classNames(
        'flex min-h-[3.5625rem] w-80 max-w-full flex-wrap justify-between gap-x-2 gap-y-2',
        isTall && 'md:grid md:w-full md:flex-1 md:grid-cols-2 md:content-evenly md:gap-y-4',
      )}
    >
      {units.map((unit) => (
        <span key={unit.name} className="flex flex-col">
          <span
            className={classNames(
              'tabular font-display text-31 font-strong',
              isTall && 'md:text-61',
            )}
          >
            {String(unit.value).padStart(2, '0')}
          </span>
          <span className={classNames('text-12 text-quiet xl:text-14', isTall && 'md:text-14')}>
            {unit.name}
          </span>
        </span>
      ))}
    </div>
  )
}
