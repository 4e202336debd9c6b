import type { CryptoAmount } from '#domain/money.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'

/** A transfer to an address of ours that belongs to no purchase. */
export type UnmatchedTransfer = {
  chain: string
  transactionHash: string
  index: number
  address: string
  paymentTokenId: string | null
  /** What its chain calls an asset that is not one of the sale's payment tokens. */
  asset: string | null
  amount: CryptoAmount
  blockHeight: bigint | null
  /** Whether it was replaced, or a reorganisation has removed it. */
  isGone: boolean
  seenAt: Date
}

/** Keeps transfers that belong to no purchase, so that a person can find out whose they are. */
export async function recordUnmatched(
  transaction: DatabaseTransaction,
  transfers: readonly UnmatchedTransfer[],
): Promise<void> {
  const rows = transfers.map((each) => ({
    chain: each.chain,
    transaction_hash: each.transactionHash,
    output_index: each.index,
    address: each.address,
    payment_token_id: each.paymentTokenId,
    asset: each.asset,
    amount: each.amount,
    block_height: each.blockHeight,
    is_gone: each.isGone,
    seen_at: each.seenAt,
  }))
  // A reading may name one transfer twice; the last entry counts.
  const last = new Map(
    rows.map((row) => [`${row.chain} ${row.transaction_hash} ${row.output_index}`, row]),
  )
  for (const part of chunk([...last.values()])) {
    await transaction
      .insertInto('unmatched_transfers')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['chain', 'transaction_hash', 'output_index']).doUpdateSet((row) => ({
          amount: row.ref('excluded.amount'),
          block_height: row.ref('excluded.block_height'),
          is_gone: row.ref('excluded.is_gone'),
        })),
      )
      .execute()
  }
}
