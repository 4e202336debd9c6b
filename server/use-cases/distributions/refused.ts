import { Refusal } from '#domain/refusal.ts'
import type { Delivery, Sale } from '#domain/sale/sale.ts'
import {
  countChangedWallets,
  findNewestSnapshot,
  type NewestSnapshot,
} from '#server/database/delivery/due-owners.ts'
import {
  lockDistributionRow,
  lockDistributions,
  type StoredDistribution,
} from '#server/database/delivery/distributions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'

export function refused(message: string): Refusal {
  return new Refusal('DistributionRefused', { message })
}

export function noSuchDistribution(): Refusal {
  return new Refusal('NotFound', { message: 'There is no distribution with this id' })
}

/** A distribution that is to change, while no other one does. Refuses with `NotFound`. */
export async function lockDistribution(transaction: DatabaseTransaction, id: bigint) {
  await lockDistributions(transaction)
  const stored = await lockDistributionRow(transaction, id)
  if (stored === null) throw noSuchDistribution()
  return stored
}

/** How the sale delivers, and its token's contract. Refuses if the sale file does not say. */
export function requireDelivery({ delivery, project }: Pick<Sale, 'delivery' | 'project'>): {
  delivery: Delivery
  token: string
} {
  if (delivery === null) {
    throw refused('The sale file has no delivery section. Say there how tokens are delivered')
  }
  if (project.contract === null || !/^0x[0-9a-fA-F]{40}$/.test(project.contract.address)) {
    throw refused('The sale file names no contract of the token yet. Put it under project.contract')
  }
  return { delivery, token: project.contract.address }
}

/**
 * The newest snapshot. Refuses if that is a different one, or if tokens of it go elsewhere by now:
 * a list made from it would pay a wallet that its owner has lost.
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

/** The same for a list that was made; null if it may be handed out still. */
export async function whyListOutdated(
  services: Services,
  transaction: DatabaseTransaction,
  { snapshot }: Pick<StoredDistribution, 'snapshot'>,
): Promise<string | null> {
  const newest = await findNewestSnapshot(transaction)
  return newest && (await whyOutdated(services, transaction, newest, snapshot))
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
  const { delivery } = requireDelivery(sale)
  const since = { chainId: delivery.chainId, now: clock.now() }
  const changed = await countChangedWallets(transaction, number, since)
  if (changed === 0) return null
  return (
    `${changed} of its owners have a wallet other than the one in snapshot ${number}: correct ` +
    'the snapshot first'
  )
}
