import { useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import type { Project } from '#contract/shapes.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { formatUsdCompact, formatUsdExact } from '#web/lib/format/format.ts'
import { useSalePanelTexts } from '#web/messages/use-sale-panel-texts.ts'

const REFETCH_MS = 60_000
/** The part of the sum from which each figure is exact. */
const NEAR = 0.999

interface SoftCapLineProps {
  project: Pick<Project, 'soft_cap'>
  isEnded: boolean
}

/**
 * The sum that the sale has to raise, how far it has come, and what happens below it; nothing
 * without a soft cap.
 */
export function SoftCapLine({ project, isEnded }: SoftCapLineProps) {
  const { softCap: texts } = useSalePanelTexts()
  const { soft_cap: cap } = project
  const { data } = useQuery({
    ...callQuery(['soft-cap'], saleContract.getSoftCap, {}),
    enabled: cap !== null,
    refetchInterval: REFETCH_MS,
  })
  if (cap === null) return null
  // Abbreviated, a sum that is a few dollars short would read as the goal itself.
  const isNear = data !== undefined && data.raised < cap && data.raised > cap * NEAR
  const textOf = (value: number) =>
    isNear ? formatUsdExact(String(value)) : formatUsdCompact(value)
  const goal = textOf(cap)
  if (data?.closed_date != null) return <p className="mt-2 max-w-[60ch]">{texts.closed(goal)}</p>
  const isReached = data !== undefined && data.raised >= cap
  // Whether an ended sale has missed its sum is not said before it is known.
  const outcome = isEnded ? data && texts.missed : texts.below
  return (
    <p className="tabular mt-2 max-w-[60ch]">
      {isReached
        ? texts.reached(goal)
        : data === undefined
          ? texts.goal(goal)
          : texts.progress(textOf(data.raised), goal)}{' '}
      {!isReached && outcome}
    </p>
  )
}
