import { sql } from 'kysely'

import { findRow } from '#server/database/tables/rows.ts'
import type { RefundBatchState } from '#domain/refunds/claim-states.ts'
import type {
  Database,
  DatabaseTransaction,
  InsertedRow,
  Row,
  RowChanges,
} from '#server/database/tables/tables.ts'
import type { ClaimRow } from './claims.ts'

export type BatchRow = Row<'refund_batches'>

export async function insertBatch(
  transaction: DatabaseTransaction,
  batch: InsertedRow<'refund_batches'>,
  claimIds: readonly string[],
): Promise<BatchRow> {
  const row = await transaction
    .insertInto('refund_batches')
    .values(batch)
    .returningAll()
    .executeTakeFirstOrThrow()
  await putIntoBatch(transaction, row.id, claimIds)
  return row
}

/** Records that claims are in a batch, possibly once more. */
export async function putIntoBatch(
  transaction: DatabaseTransaction,
  batchId: bigint,
  claimIds: readonly string[],
): Promise<void> {
  await transaction
    .insertInto('refund_batch_claims')
    .values(claimIds.map((claim_id) => ({ batch_id: batchId, claim_id, left_at: null })))
    .onConflict((conflict) =>
      conflict.columns(['batch_id', 'claim_id']).doUpdateSet({ left_at: null }),
    )
    .execute()
}

/** Records that claims have left a batch; somebody who has its file can still send it. */
export async function takeOutOfBatch(
  transaction: DatabaseTransaction,
  batchId: bigint,
  claimIds: readonly string[],
  at: Date,
): Promise<void> {
  if (claimIds.length === 0) return
  await transaction
    .updateTable('refund_batch_claims')
    .set({ left_at: at })
    .where('batch_id', '=', batchId)
    .where('claim_id', 'in', claimIds)
    .where('left_at', 'is', null)
    .execute()
}

export async function findBatch(database: Database, id: bigint) {
  return await findRow(database, 'refund_batches', { id })
}

export async function lockBatch(
  transaction: DatabaseTransaction,
  id: bigint,
): Promise<BatchRow | null> {
  const [row] = await lockBatches(transaction, [id])
  return row ?? null
}

export async function lockBatches(
  transaction: DatabaseTransaction,
  ids: readonly bigint[],
): Promise<BatchRow[]> {
  return await transaction
    .selectFrom('refund_batches')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateBatch(
  transaction: DatabaseTransaction,
  id: bigint,
  change: RowChanges<'refund_batches'>,
): Promise<void> {
  await transaction.updateTable('refund_batches').set(change).where('id', '=', id).execute()
}

/** Batches in a state or in any, newest first. */
export async function listBatchRows(
  database: Database,
  page: { state: RefundBatchState | null; startId: bigint | null; countMax: number },
): Promise<BatchRow[]> {
  const { state, startId, countMax } = page
  let query = database.selectFrom('refund_batches').selectAll().orderBy('id', 'desc')
  if (state !== null) query = query.where('state', '=', state)
  if (startId !== null) query = query.where('id', '<=', startId)
  return await query.limit(countMax).execute()
}

/** A claim that is or was in a batch. */
export type BatchedClaimRow = ClaimRow & { of_batch: bigint; left_at: Date | null }

/** The claims of batches, including those that have left. */
export async function listBatchClaims(
  database: Database,
  batchIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly BatchedClaimRow[]>> {
  if (batchIds.length === 0) return new Map()
  const { rows } = await sql<BatchedClaimRow>`
    select claim.*, inside.batch_id as of_batch, inside.left_at
    from refund_batch_claims as inside
    join refund_claims as claim on claim.id = inside.claim_id
    where inside.batch_id = any (${batchIds}::bigint[])
    order by claim.claimed_at, claim.id`.execute(database)
  return Map.groupBy(rows, ({ of_batch }) => of_batch)
}

const DAY_MS = 24 * 60 * 60_000
/** Somebody who has the file of a cancelled or paid batch may still send it. */
export const LEFT_FOLLOWED_DAYS = 30
/** Claims that left a batch, or were paid, before then are not followed any more. */
export const leftSince = (now: Date) => new Date(now.getTime() - LEFT_FOLLOWED_DAYS * DAY_MS)

/** Whether a batch may be on its way: it is open, sent, or was cancelled or paid lately. */
export const isFollowed = (now: Date) => sql<boolean>`
  (state in ('open', 'sent') or (state = 'confirmed' and closed_at > ${leftSince(now)}) or id in (
    select batch_id from refund_batch_claims where left_at > ${leftSince(now)}
  ))`

export async function listBatchesToFollow(database: Database, now: Date): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select * from refund_batches where ${isFollowed(now)} order by id`.execute(database)
  return rows
}

/** Approved claims of a chain that are in no batch, oldest first, locked. */
export async function lockClaimsToBatch(
  transaction: DatabaseTransaction,
  wanted: {
    rail: string
    chain: string
    paymentTokenId: string | null
    ids: readonly string[] | null
  },
  countMax: number,
): Promise<ClaimRow[]> {
  const { rail, chain, paymentTokenId, ids } = wanted
  const { rows } = await sql<ClaimRow>`
    select * from refund_claims
    where state = 'approved' and rail = ${rail} and chain = ${chain}
      and (${paymentTokenId}::text is null or payment_token_id = ${paymentTokenId}::text)
      and (${ids}::uuid[] is null or id = any (${ids}::uuid[]))
    order by claimed_at, id limit ${countMax}
    for no key update`.execute(transaction)
  return rows
}

/**
 * The transfers on a chain that belong to claims other than the given ones, as `hash index token
 * address` with the address in lower case; as a bare hash, each transaction that an operator has
 * recorded as paying a refund by hand; and, as `hash token address amount`, what those that were
 * named for another batch on its way, or have replaced a named one, may still have to pay there.
 */
export async function listTakenTransfers(
  database: Database,
  chain: string,
  batchId: bigint,
  exceptIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const transfer = sql`
    concat_ws(' ', transaction_hash, output_index, payment_token_id, lower(address))`
  const { rows } = await sql<{ name: string }>`
    select ${transfer} as name from refund_claims
    where chain = ${chain} and output_index is not null and id <> all (${exceptIds}::uuid[])
    union all
    select ${transfer} from refund_double_payments where chain = ${chain}
    union all
    select transaction_hash from refund_payments where chain = ${chain} and claim_id is null
    union all
    select concat_ws(' ', named.hash, claim.payment_token_id, lower(claim.address),
      claim.amount - claim.fee)
    from refund_batches as other
    join refund_batch_claims as inside on inside.batch_id = other.id
    join refund_claims as claim on claim.id = inside.claim_id
      and claim.state in ('approved', 'batched', 'sent') and coalesce(claim.confirmations, 0) = 0
      and claim.batch_id is distinct from ${batchId}
    cross join lateral (
      select unnest(other.former_hashes || other.named_hash) as hash
      union all
      select seen.replaced_by from refund_named_transactions as seen where seen.batch_id = other.id
    ) as named
    where other.chain = ${chain} and other.id <> ${batchId} and other.state in ('open', 'sent')
      and named.hash is not null`.execute(database)
  return new Set(rows.map(({ name }) => name))
}

export type DoublePaymentRow = Row<'refund_double_payments'>

/** The transfers that pay claims again, the first found first. */
export async function listDoublePayments(
  database: Database,
  claimIds: readonly string[],
): Promise<DoublePaymentRow[]> {
  if (claimIds.length === 0) return []
  return await database
    .selectFrom('refund_double_payments')
    .selectAll()
    .where('claim_id', 'in', claimIds)
    .orderBy('id')
    .execute()
}

/** What pays a claim that nothing else pays any more is no second payment of it. */
export async function deleteDoublePayment(
  transaction: DatabaseTransaction,
  id: bigint,
): Promise<void> {
  await transaction.deleteFrom('refund_double_payments').where('id', '=', id).execute()
}

/** Stores a transfer that pays again what another one has paid. False if it was already stored. */
export async function insertDoublePayment(
  transaction: DatabaseTransaction,
  {
    claim,
    batch,
    transfer,
    at,
  }: {
    claim: ClaimRow
    batch: BatchRow
    transfer: { transactionHash: string; index: number }
    at: Date
  },
): Promise<boolean> {
  const row = await transaction
    .insertInto('refund_double_payments')
    .values({
      claim_id: claim.id,
      batch_id: batch.id,
      chain: batch.chain,
      payment_token_id: claim.payment_token_id,
      address: claim.address,
      transaction_hash: transfer.transactionHash,
      output_index: transfer.index,
      found_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
