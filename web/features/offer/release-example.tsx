import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'
import { ReleaseLine } from './release-line.tsx'
import { ReleasePlan } from './release-plan.tsx'
import { releasesOf } from './release-steps.ts'

const TOKENS = 1000

export interface ReleaseExampleProps {
  project: Project
  stages: readonly ListedStage[]
}

/** The releases of some tokens, and one line for each stage if they differ. */
export function ReleaseExample({ project, stages }: ReleaseExampleProps) {
  const { release } = useSalePageTexts()
  const { vesting, symbol } = project
  if (vesting === null) return null
  return (
    <>
      <p className="text-quiet">{release.example(formatNumber(TOKENS), symbol)}</p>
      <ReleasePlan symbol={symbol} releases={releasesOf(vesting, null, TOKENS)} />
      {stages.map(
        ({ id, name, vesting: own }) =>
          own !== null && (
            <p key={id}>
              <span className="font-medium">{name}:</span>{' '}
              <ReleaseLine project={project} schedule={own} />
            </p>
          ),
      )}
    </>
  )
}
