import {
  type BatchedClaimRow,
  type BatchRow,
  insertDoublePayment,
  listBatchClaims,
  lockBatch,
  putIntoBatch,
  takeOutOfBatch,
  updateBatch,
} from '#server/database/refunds/batches.ts'
import { type ClaimRow, updateClaims } from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { FoundPayout } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { hashOfRows, NAMED_MAX } from './batch-view.ts'
import { lockWhole } from './decide-claim.ts'
import { findOnChain } from './find-on-chain.ts'
import { closeBatch, isDeep, recordSight, type Sight } from './record-sight.ts'

/**
 * What seems to pay a claim of a cancelled batch blocks that claim, whoever sent it, since it might
 * be paid twice otherwise; and a second payment deserves a look, whoever made it.
 */
export async function followLeft(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
): Promise<void> {
  const payouts = services.rails.get(batch.rail)?.payouts
  if (payouts === undefined || claims.length === 0) return
  // The transfer that paid a claim is not a second payment of it.
  const search = { payouts, exceptIds: [], isOwn: false }
  const { found, isWhole, head, keepMined } = await findOnChain(services, batch, claims, search)
  let isRecorded = isWhole
  for (const transfer of found) {
    const otherId = claims.find(({ id }) => id === transfer.id)?.batch_id ?? null
    await services.database.transaction().execute(async (transaction) => {
      // Batches before their claims: cancelling a batch locks them in this order.
      for (const id of [batch.id, ...(otherId === null ? [] : [otherId])].toSorted(byId)) {
        await lockBatch(transaction, id)
      }
      const { claim } = await lockWhole(transaction, transfer.id)
      // It has moved elsewhere meanwhile: the next step sees it.
      if (claim.batch_id !== otherId) {
        isRecorded = false
        return
      }
      if (claim.state === 'approved' || claim.state === 'batched') {
        await takeBack(services, transaction, { batch, claim, transfer: { ...transfer, head } })
      } else if (claim.gone_at === null && isDeep(transfer)) {
        await noteDouble(services, transaction, { batch, claim, transfer })
      }
    })
  }
  if (isRecorded) await keepMined()
  if (found.length > 0) await closeBatch(services, batch.id)
}

const byId = (one: bigint, other: bigint) => (one < other ? -1 : Number(one > other))

type Found = { batch: BatchRow; claim: ClaimRow; transfer: FoundPayout }

/** A cancelled batch was sent after all: the claim is in it again. */
async function takeBack(
  services: Services,
  transaction: DatabaseTransaction,
  { batch, claim, transfer }: Found & { transfer: Sight },
): Promise<void> {
  const { id } = claim
  const otherId = claim.batch_id
  const now = services.clock.now()
  if (otherId !== null) await takeOutOfBatch(transaction, otherId, [id], now)
  await putIntoBatch(transaction, batch.id, [id])
  const change = { state: 'batched' as const, batch_id: batch.id }
  await updateClaims(transaction, [id], change)
  await recordSight(services, transaction, { ...claim, ...change }, transfer)
  const named = withName(batch, transfer.transactionHash)
  await updateBatch(transaction, batch.id, { state: 'open', closed_at: null, ...named })
  await recordAction(services, transaction, theServer, {
    act: 'takeClaimBack',
    details: {
      claim_id: id,
      batch_id: String(batch.id),
      ...(otherId !== null && { from_batch_id: String(otherId) }),
      hash: transfer.transactionHash,
    },
  })
  if (otherId !== null) await shrinkBatch(services, transaction, otherId)
}

/** If only named transactions pay a batch, the one that has paid it is one of them. */
function withName({ named_hash: named, former_hashes: former }: BatchRow, hash: string) {
  const isByName = named !== null && named !== hash && !former.includes(hash)
  return isByName && former.length + 1 < NAMED_MAX ? { former_hashes: [...former, hash] } : {}
}

/** A batch that has lost a claim has a different file from now on, or none. */
async function shrinkBatch(
  services: Services,
  transaction: DatabaseTransaction,
  id: bigint,
): Promise<void> {
  const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const own = every.filter(({ left_at: leftAt }) => leftAt === null)
  if (own.length === 0) {
    const reason = 'Its claims were paid by a batch that had been cancelled'
    const closed = { state: 'cancelled' as const, reason, closed_at: services.clock.now() }
    await updateBatch(transaction, id, closed)
  }
  const details = { batch_id: String(id), claims: String(own.length), sha256: hashOfRows(own) }
  const act = { act: 'shrinkRefundBatch' as const, details }
  await recordAction(services, transaction, theServer, act)
}

/** A paid claim was paid again, or a rejected one was paid for nothing. */
async function noteDouble(
  services: Services,
  transaction: DatabaseTransaction,
  { batch, claim, transfer }: Found,
): Promise<void> {
  const double = { claim, batch, transfer, at: services.clock.now() }
  if (!(await insertDoublePayment(transaction, double))) return
  await recordAction(services, transaction, theServer, {
    act: 'findDoublePayment',
    details: {
      claim_id: claim.id,
      batch_id: String(batch.id),
      hash: transfer.transactionHash,
    },
  })
}
