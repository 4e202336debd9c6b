import { Refusal } from '#domain/refusal.ts'
import {
  type BatchedClaimRow,
  type BatchRow,
  findBatch,
  leftSince,
  listBatchClaims,
} from '#server/database/refunds/batches.ts'
import { listLeftClaims } from '#server/database/refunds/former-claims.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import { followLeft } from './follow-left.ts'
import { followCurrent, isCurrent } from './follow-payouts.ts'

const STILL_READING =
  'The server is still reading blocks in which payments of this batch may be, as after a start: a ' +
  'file would have them again. Try it again in a minute'

const wasPaid = (hash: string) =>
  `The transaction ${hash} pays a claim that was rejected, to the same money as one of this batch. ` +
  'If the buyer gets it, cancel this batch, reject the claim and mark its refunds as paid by that ' +
  'transaction. If it came back, put its item away in the inbox, and take the file again'

/** For what has paid a rejected claim to the same money as one of a batch. */
export function paidBefore(hash: string): Refusal {
  return new Refusal('BatchClosed', { message: wasPaid(hash) })
}

/**
 * Looks on its chain now for what pays a batch, and for what pays the same money as part of other
 * batches, which it has left. Refuses with `BatchClosed` if a rejected claim is found to be paid,
 * and with `RailUnavailable` while not all of the chain can be read.
 */
export async function lookForPayments(services: Services, batch: BatchRow): Promise<void> {
  const { database, clock, rails } = services
  // By hand or at a gateway, only the operator knows what was sent.
  if (rails.get(batch.rail)?.payouts === undefined) return
  const every = (await listBatchClaims(database, [batch.id])).get(batch.id) ?? []
  const current = every.filter(isCurrent)
  await requireWhole(followCurrent(services, batch, current, true))
  const ids = current.map(({ id }) => id)
  const left = await listLeftClaims(database, ids, leftSince(clock.now()))
  for (const [id, claims] of left) {
    const former = await findBatch(database, id)
    if (former !== null) await requireWhole(lookForLeft(services, former, claims))
  }
}

async function requireWhole(look: Promise<boolean>): Promise<void> {
  if (!(await askNode(look))) throw new Refusal('RailUnavailable', { message: STILL_READING })
}

async function lookForLeft(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
): Promise<boolean> {
  const { found, isWhole } = await followLeft(services, batch, claims)
  const rejected = claims.filter(({ state }) => state === 'rejected').map(({ id }) => id)
  const paid = found.find(({ id }) => rejected.includes(id))
  if (paid !== undefined) throw paidBefore(paid.transactionHash)
  return isWhole
}
