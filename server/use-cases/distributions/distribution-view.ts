import { releaseMonths, releasedOf } from '#domain/delivery/release.ts'
import { monthsAfter, scheduleOf } from '#domain/sale/release-schedule.ts'
import {
  findDistribution,
  listDistributionRows,
  listFiles,
  type StoredDistribution,
} from '#server/database/delivery/distributions.ts'
import { progressOf } from '#server/database/delivery/distribution-progress.ts'
import { listWaitingAbout } from '#server/database/operators/approvals.ts'
import { findNewestSnapshot } from '#server/database/delivery/due-owners.ts'
import type { Services } from '#server/services.ts'
import { noSuchDistribution } from './refused.ts'

export type DistributionView = ReturnType<typeof viewOf>
export type DistributionRecord = Awaited<ReturnType<typeof getDistribution>>

const ACTS_FOR_TWO = ['publishDistribution', 'withdrawDistribution', 'closeDistribution']

export async function listDistributions(
  services: Services,
  { after, limit }: { after: bigint | null; limit: number },
) {
  const page = { startId: after, countMax: limit + 1 }
  const rows = await listDistributionRows(services.database, page)
  return {
    items: rows.slice(0, limit).map((row) => viewOf(services, row)),
    after: rows[limit]?.id ?? null,
  }
}

/** Refuses with `NotFound`. */
export async function getDistribution(services: Services, id: bigint) {
  const row = await findDistribution(services.database, id)
  if (row === null) throw noSuchDistribution()
  const { database, clock } = services
  return {
    ...viewOf(services, row),
    files: await listFiles(database, id),
    progress: await progressOf(database, id),
    // What waits for a second person, oldest first.
    asked: await listWaitingAbout(database, {
      acts: ACTS_FOR_TWO,
      about: [String(id)],
      now: clock.now(),
    }),
  }
}

/** With the decimals of its tokens. */
function viewOf({ sale }: Services, row: StoredDistribution) {
  return { ...row, saleDecimals: sale.project.decimals }
}

export type DistributionOutlook = Awaited<ReturnType<typeof lookAhead>>

/** What can be handed out now; without a snapshot before the first freeze. */
export async function lookAhead({ database, sale }: Services) {
  const snapshot = await findNewestSnapshot(database)
  const holdings = (snapshot?.stages ?? []).map(({ stageId, tokens }) => {
    return { tokens, schedule: scheduleOf(sale, stageId) }
  })
  const startsAt = sale.vesting?.startsAt ?? null
  return {
    snapshot,
    releases: releaseMonths(holdings.map(({ schedule }) => schedule)).map((months) => ({
      months,
      date: startsAt === null ? null : monthsAfter(startsAt, months),
      released: releasedOf(holdings, months),
    })),
    token: sale.project.contract?.address ?? null,
    decimals: sale.delivery?.decimals ?? null,
    chain: sale.delivery?.chain ?? null,
    chainId: sale.delivery?.chainId ?? null,
  }
}
