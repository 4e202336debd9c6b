import { instantToWire, orNull } from '#contract/codec.ts'
import { releasesContract } from '#contract/delivery/releases.ts'
import { formatDecimal } from '#domain/money.ts'
import { implement } from '#server/http/routing/implement.ts'
import { getOwnReleases } from '#server/use-cases/releases/own-releases.ts'
import { presentRelease } from './present-release.ts'

export const releasesRoutes = implement(releasesContract, {
  getOwnReleases: async (services, _input, caller) => {
    const { startsAt, total, releases, next } = await getOwnReleases(services, caller)
    const { project } = services.sale
    return {
      start_date: orNull(startsAt, instantToWire),
      total: formatDecimal(total, project.decimals),
      releases: releases.map((release) => presentRelease(release, project)),
      next: orNull(next, (release) => presentRelease(release, project)),
    }
  },
})
