import {
  type BatchedClaimRow,
  type BatchRow,
  deleteDoublePayment,
  type DoublePaymentRow,
  insertDoublePayment,
  listBatchClaims,
  lockBatches,
  putIntoBatch,
  takeOutOfBatch,
  updateBatch,
} from '#server/database/refunds/batches.ts'
import { type ClaimRow, updateClaims } from '#server/database/refunds/claims.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { type Act, recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { hashOfRows, NAMED_MAX } from './batch-view.ts'
import { lockWithPurchases } from './decide-claim.ts'
import { findOnChain } from './find-on-chain.ts'
import { closeBatch, isDeep, keepDeep, recordSight, type Sight } from './record-sight.ts'

/**
 * What seems to pay a claim of a cancelled batch blocks that claim, whoever sent it, since it might
 * be paid twice otherwise; and a second payment deserves a look, whoever made it.
 * @returns False while there are blocks in which it was not looked for yet.
 */
export async function followLeft(
  services: Services,
  batch: BatchRow,
  claims: readonly BatchedClaimRow[],
): Promise<boolean> {
  const payouts = services.rails.get(batch.rail)?.payouts
  if (payouts === undefined || claims.length === 0) return true
  // The transfer that paid a claim is not a second payment of it.
  const search = { payouts, exceptIds: [], isOwn: false, isAnyTime: true }
  const { found, isWhole, head, keepMined } = await findOnChain(services, batch, claims, search)
  if (found.length === 0) {
    if (isWhole) await keepMined()
    return isWhole
  }
  const otherOf = new Map(claims.map(({ id, batch_id: batchId }) => [id, batchId]))
  const foundOf = new Map(found.map((transfer) => [transfer.id, { ...transfer, head }]))
  const { isRecorded, back } = await services.database
    .transaction()
    .execute(async (transaction) => {
      // Batches before their claims: cancelling a batch locks them in this order.
      const others = [...foundOf.keys()].flatMap((id) => otherOf.get(id) ?? [])
      const locked = await lockBatches(transaction, [...new Set([batch.id, ...others])])
      const own = locked.find(({ id }) => id === batch.id) ?? batch
      const back: Found[] = []
      const acts: Act[] = []
      let isAll = true
      for (const claim of await lockWithPurchases(transaction, [...foundOf.keys()])) {
        const transfer = foundOf.get(claim.id)
        // It has moved elsewhere meanwhile: the next step sees it.
        if (transfer === undefined || claim.batch_id !== otherOf.get(claim.id)) isAll = false
        else if (claim.state === 'approved' || claim.state === 'batched')
          back.push({ claim, transfer })
        else if (claim.gone_at === null && isDeep(transfer))
          acts.push(...(await noteDouble(services, transaction, { batch: own, claim, transfer })))
      }
      if (back.length > 0) acts.push(...(await takeBack(services, transaction, own, back)))
      // Everybody's acts wait from here on: what may wait for others comes before.
      for (const act of acts) await recordAction(services, transaction, theServer, act)
      return { isRecorded: isAll, back }
    })
  const taken = back.map(({ transfer }) => transfer)
  await keepDeep(services, batch.id, taken)
  if (isWhole && isRecorded) await keepMined()
  await closeBatch(services, batch.id)
  return isWhole
}

/**
 * If what paid a claim has gone, the second payment of it pays it at once: otherwise it would be
 * offered for payment until the second is looked for again. Call it with the batches of the second
 * payments locked, and with the claims recorded as unsent. Returns the acts to be recorded.
 */
export async function payBySecond(
  services: Services,
  transaction: DatabaseTransaction,
  batches: readonly BatchRow[],
  paid: readonly { claim: ClaimRow; second: DoublePaymentRow; head: bigint }[],
): Promise<Act[]> {
  const acts: Act[] = []
  for (const batch of batches) {
    const back: Found[] = []
    for (const { claim, second, head } of paid) {
      if (second.batch_id !== batch.id) continue
      await deleteDoublePayment(transaction, second.id)
      const { transaction_hash: transactionHash, output_index: index } = second
      // The next look tells how deep it is.
      const depth = {
        confirmations: 0,
        requiredConfirmations: Math.max(claim.required_confirmations ?? 0, 1),
      }
      back.push({ claim, transfer: { id: claim.id, transactionHash, index, ...depth, head } })
    }
    if (back.length > 0) acts.push(...(await takeBack(services, transaction, batch, back)))
  }
  return acts
}

type Found = { claim: ClaimRow; transfer: Sight }

/** A batch was sent after all: claims are in it again. Returns the acts to be recorded. */
async function takeBack(
  services: Services,
  transaction: DatabaseTransaction,
  batch: BatchRow,
  back: readonly Found[],
): Promise<Act[]> {
  const now = services.clock.now()
  const acts: Act[] = []
  for (const { claim, transfer } of back) {
    const { id, batch_id: otherId } = claim
    if (otherId !== null) await takeOutOfBatch(transaction, otherId, [id], now)
    await putIntoBatch(transaction, batch.id, [id])
    const change = { state: 'batched' as const, batch_id: batch.id }
    await updateClaims(transaction, [id], change)
    await recordSight(transaction, { ...claim, ...change }, transfer)
    acts.push({
      act: 'takeClaimBack',
      details: {
        claim_id: id,
        batch_id: String(batch.id),
        ...(otherId !== null && { from_batch_id: String(otherId) }),
        hash: transfer.transactionHash,
      },
    })
  }
  const hashes = back.map(({ transfer }) => transfer.transactionHash)
  const former_hashes = withNames(batch, hashes)
  await updateBatch(transaction, batch.id, { state: 'open', closed_at: null, former_hashes })
  const shrunk = new Set(back.flatMap(({ claim }) => claim.batch_id ?? []))
  for (const id of shrunk) acts.push(await shrinkBatch(services, transaction, id))
  return acts
}

/** If only named transactions pay a batch, those that have paid it are some of them. */
function withNames({ named_hash: named, former_hashes: former }: BatchRow, hashes: string[]) {
  if (named === null) return former
  const all = [...new Set([...former, ...hashes])].filter((hash) => hash !== named)
  return all.slice(0, Math.max(former.length, NAMED_MAX - 1))
}

/** A batch that has lost a claim has a different file from now on, or none. */
async function shrinkBatch(
  services: Services,
  transaction: DatabaseTransaction,
  id: bigint,
): Promise<Act> {
  const every = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const own = every.filter(({ left_at: leftAt }) => leftAt === null)
  if (own.length === 0) {
    const reason = 'Its claims were paid by a batch that had been cancelled'
    const closed = { state: 'cancelled' as const, reason, closed_at: services.clock.now() }
    await updateBatch(transaction, id, closed)
  }
  const details = { batch_id: String(id), claims: String(own.length), sha256: hashOfRows(own) }
  return { act: 'shrinkRefundBatch', details }
}

/** A paid claim was paid again, or a rejected one was paid for nothing. */
async function noteDouble(
  services: Services,
  transaction: DatabaseTransaction,
  { batch, claim, transfer }: Found & { batch: BatchRow },
): Promise<Act[]> {
  const double = { claim, batch, transfer, at: services.clock.now() }
  if (!(await insertDoublePayment(transaction, double))) return []
  const details = {
    claim_id: claim.id,
    batch_id: String(batch.id),
    hash: transfer.transactionHash,
  }
  return [{ act: 'findDoublePayment', details }]
}
