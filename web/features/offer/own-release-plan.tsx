import { useQuery } from '@tanstack/react-query'
import { releasesContract } from '#contract/delivery/releases.ts'
import type { Project } from '#contract/shapes.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { useLiveQuery, useOwnQuery } from '#web/session/own-query.ts'
import { Countdown } from '#web/ui/feedback/countdown.tsx'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { ReleasePlan } from './release-plan.tsx'
import { releasesFromWire, releasesOf } from './release-steps.ts'

interface OwnReleasePlanProps {
  project: Project
  /** All of the user's: with any, room is kept until the releases are loaded. */
  tokens: number
}

export function OwnReleasePlan({ project, tokens }: OwnReleasePlanProps) {
  const { release } = useOfferTexts()
  const query = useOwnReleases()
  if (query.data !== undefined) {
    return (
      <ReleasePlan
        symbol={project.symbol}
        releases={releasesFromWire(query.data, project.decimals)}
        countdown={Countdown}
      />
    )
  }
  if (!query.isError) {
    const { symbol, vesting } = project
    if (vesting === null) return null
    return (
      <div aria-hidden className="animate-pulse skeleton rounded-control">
        <div className="invisible">
          <ReleasePlan
            symbol={symbol}
            releases={releasesOf(vesting, null, tokens)}
            countdown={Countdown}
          />
        </div>
      </div>
    )
  }
  return <ErrorState title={release.failed} query={query} />
}

/** When the user's own tokens are released; it follows purchases and the sale live. */
function useOwnReleases() {
  const query = useOwnQuery(['releases'], releasesContract.getOwnReleases, {})
  useLiveQuery(query.queryKey, ['transaction', 'sale'])
  return useQuery(query)
}
