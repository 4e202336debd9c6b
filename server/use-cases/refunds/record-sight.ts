import { listBatchClaims, lockBatch, updateBatch } from '#server/database/refunds/batches.ts'
import { type ClaimRow, updateClaims } from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { FoundPayout } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { notifyOfClaim } from './claim-refund.ts'
import { lockWithPurchases } from './decide-claim.ts'
import { keepPaid } from './keep-paid.ts'

export type Sight = FoundPayout & { head: bigint }

export const isDeep = ({ confirmations, requiredConfirmations: required }: FoundPayout) =>
  confirmations >= required

/**
 * Records where a batch's claim is on the chain; `null`: its transfer is not there. That it is paid
 * is recorded afterwards, by `keepDeep`.
 */
export async function recordSight(
  transaction: DatabaseTransaction,
  claim: ClaimRow,
  transfer: Sight | null,
): Promise<void> {
  const { id } = claim
  if (transfer === null) {
    if (claim.state === 'batched') return
    // Replaced, or taken back by a reorganisation.
    const change = {
      state: 'batched' as const,
      transaction_hash: null,
      output_index: null,
      confirmations: null,
      required_confirmations: null,
      seen_height: null,
    }
    await updateClaims(transaction, [id], change)
    await notifyOfClaim(transaction, claim)
    return
  }
  const sent = {
    state: 'sent' as const,
    transaction_hash: transfer.transactionHash,
    output_index: transfer.index,
    confirmations: transfer.confirmations,
    required_confirmations: transfer.requiredConfirmations,
    // Together with its confirmations, the last one says in which block the transfer is.
    seen_height: isDeep(transfer)
      ? transfer.head
      : greatest(claim.seen_height ?? 0n, transfer.head),
  }
  await updateClaims(transaction, [id], sent)
  await notifyOfClaim(transaction, claim)
}

/**
 * Records that claims of a batch are paid whose transfers were recorded as deep enough, each by
 * itself: a claim may have thousands of receipts, and then only its own purchases wait. No file has
 * them any more, and if this ends halfway, the next look does the rest.
 */
export async function keepDeep(
  services: Services,
  batchId: bigint,
  sights: readonly FoundPayout[],
): Promise<void> {
  for (const { id } of sights.filter(isDeep)) {
    await services.database.transaction().execute(async (transaction) => {
      const [claim] = await lockWithPurchases(transaction, [id])
      // Another instance has seen less of it, or has recorded it, meanwhile.
      if (claim?.state !== 'sent' || claim.batch_id !== batchId) return
      const { transaction_hash: hash, confirmations, required_confirmations: required } = claim
      if (hash === null || confirmations === null || required === null) return
      if (confirmations >= required) await keepPaid(services, transaction, claim, hash)
    })
  }
}

const greatest = (one: bigint, other: bigint) => (one > other ? one : other)

/** A batch's state follows from its claims. */
export async function closeBatch(services: Services, id: bigint): Promise<void> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockBatch(transaction, id)
    if (batch === null || batch.state === 'cancelled') return
    const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
    const own = every.filter(({ left_at: leftAt }) => leftAt === null)
    const isPaid = own.every(({ state }) => state === 'confirmed')
    const isSent = own.every(({ state }) => state !== 'batched')
    const state = own.length === 0 ? batch.state : isPaid ? 'confirmed' : isSent ? 'sent' : 'open'
    if (state === batch.state) return
    const closed = { closed_at: state === 'confirmed' ? services.clock.now() : null }
    await updateBatch(transaction, id, { state, ...closed })
  })
}
