import { releaseMonths, releasedOf, monthsAfter } from '#domain/delivery/release.ts'
import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import { scheduleOf } from '#domain/sale/release-schedule.ts'
import {
  findDistribution,
  listDistributionRows,
  listFiles,
  type StoredDistribution,
  type StoredFile,
} from '#server/database/delivery/distributions.ts'
import {
  type DistributionProgress,
  progressOf,
} from '#server/database/delivery/distribution-progress.ts'
import { type ApprovalRow, listWaitingAbout } from '#server/database/operators/approvals.ts'
import { findNewestSnapshot, type NewestSnapshot } from '#server/database/delivery/due-owners.ts'
import type { Services } from '#server/services.ts'
import { noSuchDistribution } from './refused.ts'

export type DistributionView = StoredDistribution & {
  /** Of the sale, whose decimals its tokens are counted in. */
  saleDecimals: number
  /** What rounding down to the contract's decimals has cost all its wallets together. */
  roundingLoss: TokenAmount
}

export type DistributionRecord = DistributionView & {
  files: readonly StoredFile[]
  progress: DistributionProgress
  /** What waits for a second person, oldest first. */
  asked: readonly ApprovalRow[]
}

const ACTS_FOR_TWO = ['publishDistribution', 'withdrawDistribution', 'closeDistribution']

export type DistributionPage = { items: readonly DistributionView[]; after: bigint | null }

export async function listDistributions(
  services: Services,
  { after, limit }: { after: bigint | null; limit: number },
): Promise<DistributionPage> {
  const page = { startId: after, countMax: limit + 1 }
  const rows = await listDistributionRows(services.database, page)
  return {
    items: rows.slice(0, limit).map((row) => viewOf(services, row)),
    after: rows[limit]?.id ?? null,
  }
}

/** Refuses with `NotFound`. */
export async function getDistribution(services: Services, id: bigint): Promise<DistributionRecord> {
  const row = await findDistribution(services.database, id)
  if (row === null) throw noSuchDistribution()
  const { database, clock } = services
  return {
    ...viewOf(services, row),
    files: await listFiles(database, id),
    progress: await progressOf(database, id),
    asked: await listWaitingAbout(database, {
      acts: ACTS_FOR_TWO,
      about: [String(id)],
      now: clock.now(),
    }),
  }
}

function viewOf({ sale }: Services, row: StoredDistribution): DistributionView {
  const { decimals } = sale.project
  const { token_decimals: contractDecimals, tokens, amount } = row
  const lost =
    contractDecimals >= decimals ? 0n : tokens - amount * 10n ** BigInt(decimals - contractDecimals)
  return { ...row, saleDecimals: decimals, roundingLoss: tokenAmount(lost) }
}

/** What can be handed out now. */
export type DistributionOutlook = {
  /** Null before the first freeze, until which nothing can be handed out. */
  snapshot: NewestSnapshot | null
  /** What all owners of the snapshot get at each release, with a wallet or without. */
  releases: readonly { months: number; date: Date | null; released: TokenAmount }[]
  token: string | null
  decimals: number | null
  chain: string | null
  chainId: number | null
}

export async function lookAhead({ database, sale }: Services): Promise<DistributionOutlook> {
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
