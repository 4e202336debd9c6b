import type { Project } from '#contract/shapes.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useDashboardTexts } from '#web/messages/use-dashboard-texts.ts'
import { Countdown } from '#web/ui/feedback/countdown.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { useSale, useSaleStatus } from './queries.ts'
import { type SaleState, nextTransitionAt } from './sale-state.ts'

interface TransitionCountdownProps {
  /** Names the stage in the language of the page. */
  project?: Project | undefined
  /** On wide windows it is beside something high, and fills the same height. */
  isTall?: boolean
  className?: string
}

/** How long the stage is still on, or when the sale opens; nothing if no date is announced. */
export function TransitionCountdown(props: TransitionCountdownProps) {
  const { project, isTall = false, className = '' } = props
  const dashboard = useDashboardTexts()
  const saleText = useSaleText(project)
  const { data: sale, isPending } = useSale()
  const isOver = useSaleStatus() === 'ENDED'
  if (sale === undefined && isPending && !isOver) {
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
