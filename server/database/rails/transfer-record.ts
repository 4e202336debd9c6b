import { type Selectable, sql } from 'kysely'
import type {
  ForeignTransfersTable,
  ReceiptsTable,
  UnmatchedTransfersTable,
} from '#server/database/tables/sale-tables.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { SightedTransfer, TransferRecord } from '#server/ports/rail.ts'

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

    async sumUpTo(chain: string, height: bigint) {
      const rows = await database
        .selectFrom('receipts')
        .innerJoin('purchases', 'purchases.id', 'receipts.purchase_id')
        .select(['purchases.address', 'receipts.payment_token_id', 'receipts.amount'])
        .where('receipts.chain', '=', chain)
        .where('receipts.is_gone', '=', false)
        .where('receipts.block_height', '<=', height)
        .execute()
      // It is not a receipt, but it is at the address like one.
      const gas = await database
        .selectFrom('sweep_movements')
        .select(['address', 'payment_token_id', 'amount'])
        .where('chain', '=', chain)
        .where('kind', '=', 'gas')
        .where('is_gone', '=', false)
        .where('block_height', '<=', height)
        .execute()
      const sums = new Map<string, Map<string, bigint>>()
      for (const { address, payment_token_id: token, amount } of [...rows, ...gas]) {
        if (token === null) continue
        const ofAddress = sums.get(address) ?? new Map<string, bigint>()
        ofAddress.set(token, (ofAddress.get(token) ?? 0n) + amount)
        sums.set(address, ofAddress)
      }
      return sums
    },
  }
}

type Addressed<Table> = Selectable<Table> & { address: string }

function sightedReceipt(row: Addressed<ReceiptsTable | UnmatchedTransfersTable>): SightedTransfer {
  const { payment_token_id: paymentTokenId, asset } = row
  return {
    ...sighted(row),
    paymentTokenId,
    ...(asset !== null && { foreign: { name: asset } }),
  }
}

function sightedForeign(row: Addressed<ForeignTransfersTable>): SightedTransfer {
  const { asset: name, symbol, is_held: isHeld } = row
  return { ...sighted(row), paymentTokenId: null, foreign: { name, token: { symbol, isHeld } } }
}

function sighted(row: Addressed<ReceiptsTable | ForeignTransfersTable | UnmatchedTransfersTable>) {
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
