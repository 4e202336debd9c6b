import { readTransactionHash } from '#domain/chains/transaction-hash.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  type BatchRow,
  LEFT_FOLLOWED_DAYS,
  leftSince,
  listBatchClaims,
  lockBatch,
  updateBatch,
} from '#server/database/refunds/batches.ts'
import { isReceiptHash } from '#server/database/settlement/refund-payments.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { type BatchRecord, getBatch, NAMED_MAX, noSuchBatch } from './batch-view.ts'
import { tokenOf } from './claim-view.ts'
import { keepPaidByHand } from './keep-paid.ts'
import { lockOwnClaims } from './lock-open-batch.ts'

/**
 * Names the transaction that pays a batch, so that it is looked at first, along with those named
 * before it; also of a cancelled batch that is still followed, if its chain is read. If none is
 * read, the batch's claims are recorded as paid by it. Refuses with `NotFound`, `BatchClosed`,
 * `InvalidInput`, `HashUsed`, and with `RailUnavailable` if the sale no longer has its rail.
 */
export async function nameBatchHash(
  services: Services,
  { id, hash: text }: { id: bigint; hash: string },
  operator: Operator,
): Promise<BatchRecord> {
  await services.database.transaction().execute(async (transaction) => {
    const batch = await lockBatch(transaction, id)
    if (batch === null) throw noSuchBatch()
    const rail = services.rails.get(batch.rail)
    if (rail === undefined) {
      throw new Refusal('RailUnavailable', {
        message: 'This server does not read the chain of this batch: set up its rail again first',
      })
    }
    const isReadByHand = rail.payouts === undefined
    // What was cancelled may have been sent before: only its name may lead to it.
    const isOver = batch.state === 'confirmed' || (isReadByHand && batch.state === 'cancelled')
    if (isOver) throw new Refusal('BatchClosed')
    const hash = await readHash(services, transaction, batch, text)
    const { named_hash: last, former_hashes: former } = batch
    const former_hashes = [...new Set([...former, ...(last === null ? [] : [last])])].filter(
      (each) => each !== hash,
    )
    if (former_hashes.length >= NAMED_MAX) {
      throw new Refusal('BatchClosed', {
        message:
          `${NAMED_MAX} transactions were named for this batch. Cancel the batch, and put what ` +
          'was not sent into another one',
      })
    }
    await updateBatch(transaction, id, { named_hash: hash, former_hashes })
    if (isReadByHand) {
      const claims = await lockOwnClaims(transaction, batch)
      await keepPaidByHand(services, transaction, claims, { batch, hash })
    }
    await recordAction(services, transaction, operator, {
      act: 'nameRefundBatchHash',
      details: { batch_id: String(id), hash, paid: String(isReadByHand) },
    })
  })
  return await getBatch(services, id)
}

const NOT_FOLLOWED =
  `This batch was cancelled more than ${LEFT_FOLLOWED_DAYS} days ago and is not followed any more: ` +
  'look the transaction up in a block explorer. If it has paid, mark the refunds as paid by it, ' +
  'before another batch pays them: cancel the batch that they are in and reject their claims first'

async function readHash(
  services: Services,
  transaction: DatabaseTransaction,
  { id, rail, chain, state }: BatchRow,
  text: string,
): Promise<string> {
  const claims = (await listBatchClaims(transaction, [id])).get(id) ?? []
  const [first] = claims
  if (first === undefined) throw new Refusal('BatchClosed')
  const since = leftSince(services.clock.now())
  const isFollowed = claims.some(({ left_at: leftAt }) => leftAt === null || leftAt > since)
  if (state === 'cancelled' && !isFollowed) {
    throw new Refusal('BatchClosed', { message: NOT_FOLLOWED })
  }
  const read = readTransactionHash(text, { rail, paymentToken: tokenOf(services, first) })
  if ('fault' in read) throw wrongField('hash', read.fault)
  if (await isReceiptHash(transaction, chain, read.hash)) {
    const message =
      'Money arrived by this transaction. Give the hash of the one that pays the batch'
    throw new Refusal('HashUsed', { message })
  }
  return read.hash
}
