import { sql } from 'kysely'
import { cryptoAmount } from '#domain/money.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { ChainReading } from '#server/ports/rail.ts'

/**
 * Stores what a reading found to have left our addresses. Movements that were recorded above where
 * the reading began and are not found again were undone by a reorganisation. The next check
 * examines the books of the purchases concerned.
 */
export async function recordMovements(
  transaction: DatabaseTransaction,
  chain: string,
  { above, found }: NonNullable<ChainReading['movements']>,
): Promise<void> {
  const gone = await transaction
    .updateTable('sweep_movements')
    .set({ is_gone: true })
    .where('chain', '=', chain)
    .where('block_height', '>', above)
    .where('is_gone', '=', false)
    .returning('address')
    .execute()
  const rows = found.map((each) => ({
    chain,
    transaction_hash: each.transactionHash,
    output_index: each.index,
    kind: each.kind,
    address: each.address,
    counterparty: each.counterparty,
    payment_token_id: each.paymentTokenId,
    amount: each.amount,
    fee: each.fee,
    block_height: each.blockHeight,
    is_gone: false,
    moved_at: each.sentAt,
  }))
  // A reading may name a movement twice; the last entry counts.
  const last = new Map(rows.map((row) => [`${row.transaction_hash} ${row.output_index}`, row]))
  for (const part of chunk([...last.values()])) {
    await transaction
      .insertInto('sweep_movements')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['chain', 'transaction_hash', 'output_index']).doUpdateSet((row) => ({
          kind: row.ref('excluded.kind'),
          address: row.ref('excluded.address'),
          counterparty: row.ref('excluded.counterparty'),
          payment_token_id: row.ref('excluded.payment_token_id'),
          amount: row.ref('excluded.amount'),
          fee: row.ref('excluded.fee'),
          block_height: row.ref('excluded.block_height'),
          moved_at: row.ref('excluded.moved_at'),
          is_gone: false,
        })),
      )
      .execute()
  }
  const addresses = [...new Set([...gone, ...found].map(({ address }) => address.toLowerCase()))]
  if (addresses.length === 0) return
  await sql`
    insert into unchecked (kind, subject)
    select 'purchase', id::text from purchases
    where lower(address) = any (${addresses}::text[])`.execute(transaction)
}

/** What has left our addresses, by chain and payment token, and where it went. */
export type SweptTotal = {
  chain: string
  payment_token_id: string | null
  counterparty: string
  amount: bigint
  count: number
}

/** Without what a reorganisation has undone. */
export async function sumSwept(database: Database): Promise<SweptTotal[]> {
  const { rows } = await sql<SweptTotal>`
    select chain, payment_token_id, counterparty, sum(amount) as amount, count(*)::integer as count
    from sweep_movements
    where kind = 'out' and not is_gone and amount > 0
    group by chain, payment_token_id, counterparty
    order by chain, payment_token_id, counterparty`.execute(database)
  return rows
}

/** The newest movements, without what a reorganisation has undone. */
export async function listMovements(database: Database, count: number) {
  return await database
    .selectFrom('sweep_movements')
    .selectAll()
    .where('is_gone', '=', false)
    .where('kind', '=', 'out')
    .where('amount', '>', cryptoAmount(0n))
    .orderBy('moved_at', 'desc')
    .orderBy('transaction_hash')
    .orderBy('output_index')
    .limit(count)
    .execute()
}
