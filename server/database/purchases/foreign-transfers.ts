import { sql } from 'kysely'
import { findRow } from '#server/database/tables/rows.ts'
import type { CryptoAmount } from '#domain/money.ts'
import type { RailName } from '#domain/sale/sale.ts'
import type { ForeignTransferState } from '#domain/settlement/outcome.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'
import { receiptIdOf } from './receipts.ts'

/** A transfer to a purchase of a token that the sale does not take. */
export type ForeignTransfer = {
  purchaseId: string
  chain: string
  transactionHash: string
  index: number
  /** The token's contract. */
  asset: string
  /** What it calls itself, which proves nothing; null if it has no name. */
  symbol: string | null
  amount: CryptoAmount
  /** Whether the address held it afterwards; null if nobody could ask. */
  isHeld: boolean | null
  blockHeight: bigint | null
  isGone: boolean
  seenAt: Date
}

/**
 * Records transfers of tokens that the sale does not take, or their new state. What a person has
 * decided about one, when it was seen and what was held then stay unchanged. Returns those taken up
 * as a debt, by their ids, each with its amount at that time: they are receipts too.
 */
export async function recordForeignTransfers(
  transaction: DatabaseTransaction,
  transfers: readonly ForeignTransfer[],
): Promise<ReadonlyMap<string, CryptoAmount>> {
  // A reading may name one transfer twice; the last entry counts.
  const byId = new Map(transfers.map((each) => [idOf(each), each]))
  const owed = new Map<string, CryptoAmount>()
  for (const part of chunk([...byId])) {
    const rows = await transaction
      .insertInto('foreign_transfers')
      .values(
        part.map(([id, each]) => ({
          id,
          purchase_id: each.purchaseId,
          chain: each.chain,
          transaction_hash: each.transactionHash,
          output_index: each.index,
          asset: each.asset,
          symbol: each.symbol,
          amount: each.amount,
          is_held: each.isHeld,
          block_height: each.blockHeight,
          is_gone: each.isGone,
          seen_at: each.seenAt,
          reason: null,
          decided_at: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => ({
          block_height: excluded.ref('excluded.block_height'),
          is_gone: excluded.ref('excluded.is_gone'),
          // What arrived is known as soon as the node could be asked; a debt does not change.
          amount: sql<CryptoAmount>`case
            when foreign_transfers.is_held is null and foreign_transfers.state <> 'owed'
            then excluded.amount else foreign_transfers.amount end`,
          is_held: sql<boolean | null>`coalesce(foreign_transfers.is_held, excluded.is_held)`,
        })),
      )
      .returning(['id', 'state', 'amount'])
      .execute()
    for (const { id, state, amount } of rows) if (state === 'owed') owed.set(id, amount)
  }
  return owed
}

const idOf = ({ chain, transactionHash, index }: ForeignTransfer) =>
  receiptIdOf(chain, transactionHash, index)

/** A stored transfer, with the owner of the purchase to which it came. */
export type ForeignTransferRow = Row<'foreign_transfers'> & {
  address: string
  user_id: string
  email: string
  rail: RailName
}

/** Where a page begins, inclusive. */
export type ForeignTransferPlace = { seenAt: Date; id: string }

const rowsOf = (database: Database) =>
  database
    .selectFrom('foreign_transfers as transfer')
    .innerJoin('purchases', 'purchases.id', 'transfer.purchase_id')
    .innerJoin('users', 'users.id', 'purchases.user_id')
    .selectAll('transfer')
    .select(['purchases.address', 'purchases.rail', 'purchases.user_id', 'users.email'])

/** Those of a state that are on their chain, or of every state; oldest first. */
export async function listForeignTransfers(
  database: Database,
  page: {
    state: ForeignTransferState | null
    purchaseId: string | null
    start: ForeignTransferPlace | null
    countMax: number
  },
): Promise<ForeignTransferRow[]> {
  const { state, purchaseId, start, countMax } = page
  let rows = rowsOf(database)
    .where('transfer.is_gone', '=', false)
    .orderBy('transfer.seen_at')
    .orderBy('transfer.id')
    .limit(countMax)
  if (state !== null) rows = rows.where('transfer.state', '=', state)
  if (start !== null) {
    rows = rows.where(
      sql<boolean>`(transfer.seen_at, transfer.id) >= (${start.seenAt}, ${start.id}::uuid)`,
    )
  }
  if (purchaseId !== null) rows = rows.where('transfer.purchase_id', '=', purchaseId)
  return await rows.execute()
}

/** Null if there is none. */
export async function findForeignTransfer(
  database: Database,
  id: string,
): Promise<ForeignTransferRow | null> {
  return (await rowsOf(database).where('transfer.id', '=', id).executeTakeFirst()) ?? null
}

export type ForeignSum = {
  chain: string
  asset: string
  symbol: string | null
  amount: CryptoAmount
  count: number
}

/** What came of each token and waits for a person, by chain and contract, most frequent first. */
export async function sumForeignTransfers(
  database: Database,
  countMax: number,
): Promise<ForeignSum[]> {
  return await database
    .selectFrom('foreign_transfers')
    .select(({ fn }) => [
      'chain',
      'asset',
      fn.max('symbol').as('symbol'),
      fn.sum<CryptoAmount>('amount').as('amount'),
      sql<number>`count(*)::integer`.as('count'),
    ])
    .where('state', '=', 'open')
    .where('is_gone', '=', false)
    .groupBy(['chain', 'asset'])
    .orderBy('count', 'desc')
    .orderBy('chain')
    .orderBy('asset')
    .limit(countMax)
    .execute()
}

/** Locks a transfer; null if there is none. */
export async function lockForeignTransfer(transaction: DatabaseTransaction, id: string) {
  return await findRow(transaction, 'foreign_transfers', { id }, 'for update')
}

/** Records what a person decided about a transfer, for good. */
export async function decideForeignTransfer(
  transaction: DatabaseTransaction,
  id: string,
  decision: { state: 'dismissed' | 'owed'; reason: string; at: Date },
): Promise<void> {
  await transaction
    .updateTable('foreign_transfers')
    .set({ state: decision.state, reason: decision.reason, decided_at: decision.at })
    .where('id', '=', id)
    .execute()
}

/** Puts all open transfers of a token away. Returns how many there were. */
export async function dismissForeignTransfers(
  transaction: DatabaseTransaction,
  { chain, asset, reason, at }: { chain: string; asset: string; reason: string; at: Date },
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('foreign_transfers')
    .set({ state: 'dismissed', reason, decided_at: at })
    .where('state', '=', 'open')
    .where('chain', '=', chain)
    .where('asset', '=', asset)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
