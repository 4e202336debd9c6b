import { Refusal } from '#domain/refusal.ts'
import type { Delivery, Sale } from '#domain/sale/sale.ts'
import { lockDistributionRow, lockDistributions } from '#server/database/delivery/distributions.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

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
