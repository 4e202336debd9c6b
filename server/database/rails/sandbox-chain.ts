import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { ForeignAsset, SandboxReading } from '#server/ports/rail.ts'

/**
 * The simulated chain. Every change first locks its one row and takes the next revision, so
 * revisions become visible in order, and a reader that remembers one misses nothing.
 */

type Tip = { height: bigint; revision: bigint; mined_at: Date }

async function lockTip(transaction: DatabaseTransaction, now: Date): Promise<Tip> {
  await transaction
    .insertInto('sandbox_chain')
    .values({ id: 1, height: 0n, revision: 0n, mined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await transaction
    .selectFrom('sandbox_chain')
    .select(['height', 'revision', 'mined_at'])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

async function moveTip(transaction: DatabaseTransaction, tip: Tip): Promise<void> {
  await transaction.updateTable('sandbox_chain').set(tip).execute()
}

/**
 * Puts a transfer on the chain, where it waits for a block.
 * @param isOutgoing True if it leaves the sale: then it is no payment, whatever its address.
 */
export async function sendSandboxTransfer(
  database: Database,
  transfer: Omit<SandboxReading['transfers'][number], 'blockHeight' | 'isGone' | 'confirmations'>,
  isOutgoing = false,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const tip = await lockTip(transaction, transfer.sentAt)
    const revision = tip.revision + 1n
    await transaction
      .insertInto('sandbox_transfers')
      .values({
        transaction_hash: transfer.transactionHash,
        address: transfer.address,
        payment_token_id: transfer.paymentTokenId,
        foreign_asset: transfer.foreign === undefined ? null : JSON.stringify(transfer.foreign),
        amount: transfer.amount,
        block_height: null,
        sent_at: transfer.sentAt,
        is_outgoing: isOutgoing,
        revision,
      })
      .execute()
    await moveTip(transaction, { ...tip, revision })
  })
}

/** Adds blocks; the first contains every waiting transfer. Returns the new height. */
export async function mineSandboxBlocks(
  database: Database,
  count: number,
  now: Date,
): Promise<bigint> {
  return await database
    .transaction()
    .execute(
      async (transaction) => await mine(transaction, await lockTip(transaction, now), count, now),
    )
}

/** How far the clocks of two instances may differ. */
const CLOCKS_DIFFER_MS = 1_000

/**
 * Adds a block if the last one is at least `intervalMs` old. False if it is not. A block from the
 * future was made before the clock was set back, and does not delay the next one until then.
 */
export async function mineSandboxBlockWhenDue(
  database: Database,
  intervalMs: number,
  now: Date,
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const tip = await lockTip(transaction, now)
    const ageMs = now.getTime() - tip.mined_at.getTime()
    if (ageMs < intervalMs && ageMs >= -CLOCKS_DIFFER_MS) return false
    await mine(transaction, tip, 1, now)
    return true
  })
}

async function mine(
  transaction: DatabaseTransaction,
  tip: Tip,
  count: number,
  now: Date,
): Promise<bigint> {
  const revision = tip.revision + 1n
  await transaction
    .updateTable('sandbox_transfers')
    .set({ block_height: tip.height + 1n, revision })
    .where('block_height', 'is', null)
    .where('is_gone', '=', false)
    .execute()
  const height = tip.height + BigInt(count)
  await moveTip(transaction, { height, revision, mined_at: now })
  return height
}

/**
 * Replaces the last `depth` blocks with as many empty ones, as when a longer branch wins: what was
 * in them is gone for good. Returns the height, which stays.
 */
export async function replaceSandboxBlocks(
  database: Database,
  depth: number,
  now: Date,
): Promise<bigint> {
  return await database.transaction().execute(async (transaction) => {
    const tip = await lockTip(transaction, now)
    const revision = tip.revision + 1n
    await transaction
      .updateTable('sandbox_transfers')
      .set({ block_height: null, is_gone: true, revision })
      .where('block_height', '>', tip.height - BigInt(depth))
      .execute()
    await moveTip(transaction, { ...tip, revision })
    return tip.height
  })
}

/** The tip, beside each payment that changed; without one, the hash is null. */
type TipRow = Pick<SandboxReading, 'height' | 'revision'> &
  Omit<SandboxReading['transfers'][number], 'transactionHash' | 'foreign' | 'confirmations'> & {
    transactionHash: string | null
    foreign: ForeignAsset | null
  }

/**
 * The tip, and every payment that changed after a revision, in one statement and so at one moment.
 */
export async function readSandboxChain(
  database: Database,
  afterRevision: bigint,
): Promise<SandboxReading> {
  const { rows } = await sql<TipRow>`
    select
      tip.height, tip.revision, transfer.transaction_hash as "transactionHash", transfer.address,
      transfer.payment_token_id as "paymentTokenId", transfer.foreign_asset as foreign,
      transfer.amount, transfer.block_height as "blockHeight", transfer.is_gone as "isGone",
      transfer.sent_at as "sentAt"
    from sandbox_chain as tip
    left join sandbox_transfers as transfer
      on transfer.revision > ${afterRevision} and not transfer.is_outgoing
    order by transfer.revision, transfer.transaction_hash`.execute(database)
  const tip = rows[0]
  return {
    height: tip?.height ?? 0n,
    revision: tip?.revision ?? 0n,
    transfers: rows.flatMap((row) => {
      const { height: _height, revision: _revision, transactionHash, foreign, ...transfer } = row
      if (transactionHash === null) return []
      return [{ ...transfer, transactionHash, ...(foreign !== null && { foreign }) }]
    }),
  }
}

/** The tip, and what left the sale to these addresses and waits, or is above a height. */
export async function readSandboxOutgoing(
  database: Database,
  addresses: readonly string[],
  sinceHeight: bigint,
) {
  const tip = await database.selectFrom('sandbox_chain').select('height').executeTakeFirst()
  const head = tip?.height ?? 0n
  const rows = await database
    .selectFrom('sandbox_transfers as transfer')
    .select([
      'transfer.transaction_hash as transactionHash',
      'transfer.address',
      'transfer.payment_token_id as paymentTokenId',
      'transfer.amount',
      'transfer.block_height as blockHeight',
    ])
    .where('transfer.is_outgoing', '=', true)
    .where('transfer.is_gone', '=', false)
    .where(sql<boolean>`transfer.address = any (${addresses}::text[])`)
    .where((where) =>
      where.or([
        where('transfer.block_height', 'is', null),
        where('transfer.block_height', '>', sinceHeight),
      ]),
    )
    .execute()
  const transfers = rows.map(({ blockHeight, paymentTokenId, ...row }) => ({
    ...row,
    index: 0,
    paymentTokenId: paymentTokenId ?? '',
    confirmations: blockHeight === null || blockHeight > head ? 0 : Number(head - blockHeight + 1n),
  }))
  return { head, transfers }
}
