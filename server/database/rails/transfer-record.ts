import type { Database } from '#server/database/tables/tables.ts'
import type { TransferRecord } from '#server/ports/rail.ts'

/** Reads the transfers that a rail has reported, from the receipts. */
export function createTransferRecord(database: Database): TransferRecord {
  return {
    async listAbove(chain, height) {
      const rows = await database
        .selectFrom('receipts')
        .innerJoin('purchases', 'purchases.id', 'receipts.purchase_id')
        .select([
          'receipts.transaction_hash',
          'receipts.output_index',
          'receipts.payment_token_id',
          'receipts.amount',
          'receipts.block_height',
          'receipts.seen_at',
          'purchases.address',
        ])
        .where('receipts.chain', '=', chain)
        .where('receipts.is_gone', '=', false)
        .where((where) =>
          where.or([
            where('receipts.block_height', '>', height),
            where('receipts.block_height', 'is', null),
          ]),
        )
        .execute()
      return rows.map((row) => ({
        transactionHash: row.transaction_hash,
        index: row.output_index,
        address: row.address,
        paymentTokenId: row.payment_token_id,
        amount: row.amount,
        blockHeight: row.block_height,
        sentAt: row.seen_at,
        isGone: false,
      }))
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
      const sums = new Map<string, Map<string, bigint>>()
      for (const { address, payment_token_id: token, amount } of rows) {
        if (token === null) continue
        const ofAddress = sums.get(address) ?? new Map<string, bigint>()
        ofAddress.set(token, (ofAddress.get(token) ?? 0n) + amount)
        sums.set(address, ofAddress)
      }
      return sums
    },
  }
}
