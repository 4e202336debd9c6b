import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { isSameSchedule } from '#domain/delivery/tool-schedule.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  countChangedWallets,
  findNewestSnapshot,
  type NewestSnapshot,
} from '#server/database/delivery/due-owners.ts'
import type { StoredDistribution } from '#server/database/delivery/distributions.ts'
import { countMovementsSince, sumOwned } from '#server/database/delivery/owned-tokens.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { refused, requireDelivery } from './refused.ts'
import { scheduleFor } from './schedule-for.ts'

/**
 * The newest snapshot. Refuses if that is a different one, if tokens of it go elsewhere by now (a
 * list made from it would pay a wallet that its owner has lost), or if nobody owns any by now.
 */
export async function requireNewest(
  services: Services,
  transaction: DatabaseTransaction,
  number: number,
): Promise<NewestSnapshot> {
  const newest = await findNewestSnapshot(transaction)
  if (newest === null) throw refused('Close the books first: tokens are handed out from a snapshot')
  const why = await whyOutdated(services, transaction, newest, number)
  if (why !== null) throw refused(why)
  return newest
}

/**
 * The same for a list that was made, which may also be of another token or have another schedule
 * than the sale has by now; null if it may be handed out still.
 */
export async function whyListOutdated(
  services: Services,
  transaction: DatabaseTransaction,
  list: StoredDistribution,
): Promise<string | null> {
  const newest = await findNewestSnapshot(transaction)
  if (newest === null) return null
  const { snapshot, tool, schedule } = list
  const why = await whyOutdated(services, transaction, newest, snapshot)
  if (why !== null) return why
  if (!isOfToken(services, list)) {
    return (
      'The sale file names another contract, chain or number of decimals of the token than the ' +
      'one that this list was made for'
    )
  }
  if (schedule === null) return null
  const stageIds = newest.stages.map(({ stageId }) => stageId)
  const current = scheduleNow(services, tool, stageIds)
  if (current !== null && isSameSchedule(current, schedule)) return null
  return 'The sale releases tokens by another schedule than the one that this list has'
}

function isOfToken(
  { sale }: Services,
  { chain_id: chainId, token, token_decimals: decimals }: StoredDistribution,
): boolean {
  const now = requireDelivery(sale)
  return (
    Number(chainId) === now.delivery.chainId &&
    decimals === now.delivery.decimals &&
    token.toLowerCase() === now.token.toLowerCase()
  )
}

/** Null if no single schedule can say it any more. */
function scheduleNow({ sale }: Services, tool: DistributionTool, stageIds: readonly string[]) {
  try {
    return scheduleFor(sale, tool, stageIds)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function whyOutdated(
  { sale, clock }: Services,
  transaction: DatabaseTransaction,
  newest: NewestSnapshot,
  number: number,
): Promise<string | null> {
  if (newest.number !== number) {
    return `The newest snapshot is ${newest.number}: tokens are only handed out from that one`
  }
  if (await isAllUndone(transaction, newest)) {
    return `Since snapshot ${number} everything was taken back: nobody owns any tokens any more`
  }
  const { delivery } = requireDelivery(sale)
  const since = { chainId: delivery.chainId, now: clock.now() }
  const changed = await countChangedWallets(transaction, number, since)
  if (changed === 0) return null
  return (
    `${changed} of its owners have a wallet other than the one in snapshot ${number}: correct ` +
    'the snapshot first'
  )
}

/** No correction can say this, as no snapshot is empty. */
async function isAllUndone(
  transaction: DatabaseTransaction,
  { ledgerPosition }: NewestSnapshot,
): Promise<boolean> {
  if ((await sumOwned(transaction)) > 0n) return false
  return (await countMovementsSince(transaction, ledgerPosition)).count > 0
}
