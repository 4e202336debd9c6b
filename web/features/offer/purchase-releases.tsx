import type { ReleaseSchedule } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { releasesOf, releaseSteps } from './release-steps.ts'
import { ReleaseTable } from './release-table.tsx'
import { useDoneCount } from './use-done-count.ts'

interface PurchaseReleasesProps {
  project: Project
  /** Of the purchase's stage; null if that is as the sale's. */
  schedule: ReleaseSchedule | null
  /** What was credited, as the wire has it. */
  tokens: number
}

export function PurchaseReleases({ project, schedule, tokens }: PurchaseReleasesProps) {
  const { release } = useOfferTexts()
  const steps =
    project.vesting === null ? [] : releaseSteps(releasesOf(project.vesting, schedule, tokens))
  const { doneCount } = useDoneCount(steps)
  if (steps.length === 0) return null
  return (
    <div className="border-t border-hairline">
      <Disclosure
        title={release.calendar}
        aside={
          <span className="tabular text-14 text-quiet">
            {release.count(doneCount, steps.length)}
          </span>
        }
      >
        <div className="@container pb-2">
          <ReleaseTable
            steps={steps}
            doneCount={doneCount}
            caption={release.chart(project.symbol)}
          />
        </div>
      </Disclosure>
    </div>
  )
}
