import { sql } from 'kysely'
import type { Database, Row, Tables } from '#server/database/tables/tables.ts'
import type { ReceivedSum, SightedTransfer, TransferRecord } from '#server/ports/rail.ts'

/**
 * Reads the transfers that a rail has reported, from the receipts and from what is kept beside
 * them.
 */
export function createTransferRecord(database: Database): TransferRecord {
  return {
    async listAbove(chain, height) {
      const isAbove = sql<boolean>`(block_height > ${height} or block_height is null)`
      const receipts = await database
        .selectFrom('receipts')
        .innerJoin('purchases', 'purchases.id', 'receipts.purchase_id')
        .selectAll('receipts')
        .select('purchases.address')
        .where('receipts.chain', '=', chain)
        .where('receipts.is_gone', '=', false)
        .where(isAbove)
        .execute()
      const foreign = await database
        .selectFrom('foreign_transfers as transfer')
        .innerJoin('purchases', 'purchases.id', 'transfer.purchase_id')
        .selectAll('transfer')
        .select('purchases.address')
        .where('transfer.chain', '=', chain)
        .where('transfer.is_gone', '=', false)
        .where(isAbove)
        .execute()
      const unmatched = await database
        .selectFrom('unmatched_transfers')
        .selectAll()
        .where('chain', '=', chain)
        .where('is_gone', '=', false)
        .where(isAbove)
        .execute()
      // A transfer that was taken up as a debt is both.
      const apart = new Set(foreign.map(({ id }) => id))
      return [
        ...receipts.filter(({ id }) => !apart.has(id)).map(sightedReceipt),
        ...foreign.map(sightedForeign),
        ...unmatched.map(sightedReceipt),
      ]
    },

    async sumUpTo(chain, height) {
      const isCounted = sql`received.chain = ${chain} and not received.is_gone
        and received.block_height <= ${height}`
      // Gas is no receipt, and always the chain's own coin. A transfer of a token that the sale did
      // not take then is not there if the token says so, and a receipt too once it is a debt.
      const { rows } = await sql<ReceivedSum>`
        select address, payment_token_id as "paymentTokenId", name, sum(amount) as amount
        from (
          select purchases.address, received.payment_token_id, asset as name, amount
          from receipts as received join purchases on purchases.id = purchase_id
          where ${isCounted}
          union all
          select purchases.address, null, asset, amount
          from foreign_transfers as received join purchases on purchases.id = purchase_id
          where ${isCounted} and state <> 'owed' and is_held is distinct from false
          union all
          select address, payment_token_id, asset, amount from unmatched_transfers as received
          where ${isCounted}
          union all
          select address, null, 'native', amount from sweep_movements as received
          where ${isCounted} and kind = 'gas'
        ) as received
        group by address, payment_token_id, name`.execute(database)
      return rows
    },
  }
}

type Addressed<Name extends keyof Tables> = Row<Name> & { address: string }

function sightedReceipt(row: Addressed<'receipts' | 'unmatched_transfers'>): SightedTransfer {
  const { payment_token_id: paymentTokenId, asset } = row
  return {
    ...sighted(row),
    paymentTokenId,
    ...(asset !== null && { foreign: { name: asset } }),
  }
}

function sightedForeign(row: Addressed<'foreign_transfers'>): SightedTransfer {
  const { asset: name, symbol, is_held: isHeld } = row
  return { ...sighted(row), paymentTokenId: null, foreign: { name, token: { symbol, isHeld } } }
}

function sighted(row: Addressed<'receipts' | 'foreign_transfers' | 'unmatched_transfers'>) {
  return {
    transactionHash: row.transaction_hash,
    index: row.output_index,
    address: row.address,
    amount: row.amount,
    blockHeight: row.block_height,
    sentAt: row.seen_at,
    isGone: false,
  }
}
