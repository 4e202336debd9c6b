import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { CryptoAmount, Price } from '#domain/money.ts'
import type { ReceiptFact } from '#domain/settlement/facts.ts'
import { chunk } from '#server/database/tables/chunk.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'
import { requestSettlements } from './purchases.ts'

/** A transfer to one of our addresses, as its chain reports it now. */
export type SeenReceipt = {
  purchaseId: string
  chain: string
  transactionHash: string
  index: number
  paymentTokenId: string | null
  /** What its chain calls an asset that is not one of the sale's payment tokens. */
  asset: string | null
  amount: CryptoAmount
  blockHeight: bigint | null
  isGone: boolean
  confirmations: number
  requiredConfirmations: number
  seenAt: Date
  /** Without the price of a coin that has none at present. */
  market: { stageId: string; tokenPrice: Price; cryptoPrice: Price | null } | null
}

export type Receipt = Omit<ReceiptFact, 'isRightAsset' | 'paidBack'> & {
  purchaseId: string
  chain: string
  transactionHash: string
  index: number
  /** Null if the asset is not one of the sale's payment tokens. */
  paymentTokenId: string | null
  asset: string | null
  /** What the ledger holds of it. */
  booked: CryptoAmount
}

/** A receipt's id follows from what it is, so recording it again gives the same one. */
export function receiptIdOf(chain: string, transactionHash: string, index: number): string {
  const digest = createHash('sha256').update(JSON.stringify([chain, transactionHash, index]))
  const hex = digest.digest('hex')
  // Version 8 of RFC 9562, for custom rules.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/**
 * Records receipts, or their new state. When a receipt was first seen, and the market then, stay
 * unchanged, and so does how many confirmations it needs, unless it brings more than before. If a
 * receipt is listed several times, the last entry counts.
 */
export async function recordReceipts(
  transaction: DatabaseTransaction,
  receipts: readonly SeenReceipt[],
): Promise<void> {
  const byId = new Map(
    receipts.map((receipt) => [
      receiptIdOf(receipt.chain, receipt.transactionHash, receipt.index),
      receipt,
    ]),
  )
  for (const part of chunk([...byId])) await recordPart(transaction, part)
}

/** Of a receipt that is recorded again. */
const REQUIRED = sql<number>`(
  case when excluded.amount > receipts.amount
    then greatest(receipts.required_confirmations, excluded.required_confirmations)
    else receipts.required_confirmations
  end
)`

async function recordPart(
  transaction: DatabaseTransaction,
  part: readonly (readonly [id: string, receipt: SeenReceipt])[],
): Promise<void> {
  await transaction
    .insertInto('receipts')
    .values(
      part.map(([id, receipt]) => ({
        id,
        purchase_id: receipt.purchaseId,
        chain: receipt.chain,
        transaction_hash: receipt.transactionHash,
        output_index: receipt.index,
        payment_token_id: receipt.paymentTokenId,
        asset: receipt.asset,
        amount: receipt.amount,
        block_height: receipt.blockHeight,
        is_gone: receipt.isGone,
        confirmations: receipt.confirmations,
        required_confirmations: receipt.requiredConfirmations,
        was_confirmed: receipt.confirmations >= receipt.requiredConfirmations,
        seen_at: receipt.seenAt,
        market_stage_id: receipt.market?.stageId ?? null,
        market_token_price: receipt.market?.tokenPrice ?? null,
        market_crypto_price: receipt.market?.cryptoPrice ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((excluded) => ({
        amount: excluded.ref('excluded.amount'),
        block_height: excluded.ref('excluded.block_height'),
        is_gone: excluded.ref('excluded.is_gone'),
        confirmations: sql`least(excluded.confirmations, ${REQUIRED})`,
        required_confirmations: REQUIRED,
        was_confirmed: sql`receipts.was_confirmed or excluded.confirmations >= ${REQUIRED}`,
      })),
    )
    .execute()
}

/**
 * Gives receipts that came while their coin had no price the one that it has now, unless they are
 * confirmed by then.
 * @param priceOf By payment token; undefined without a price.
 */
export async function priceReceipts(
  database: Database,
  priceOf: (paymentTokenId: string) => Price | undefined,
): Promise<void> {
  const unpriced = await database
    .selectFrom('receipts')
    .select(['id', 'purchase_id', 'payment_token_id'])
    .where(isUnpriced)
    .execute()
  for (const { id, purchase_id, payment_token_id } of unpriced) {
    const price = priceOf(payment_token_id ?? '')
    if (price === undefined) continue
    await database.transaction().execute(async (transaction) => {
      // Before the receipt: settling locks `settlements_due` first and the receipts next.
      await requestSettlements(transaction, [purchase_id])
      await transaction
        .updateTable('receipts')
        .set({ market_crypto_price: price })
        .where('id', '=', id)
        .where(isUnpriced)
        .execute()
    })
  }
}

const isUnpriced = sql<boolean>`(
  market_stage_id is not null and market_crypto_price is null
  and not is_gone and confirmations < required_confirmations
)`

/** The purchases with receipts whose confirmations have to be counted again at this height. */
export async function listUncounted(
  transaction: DatabaseTransaction,
  chain: string,
  height: bigint,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('receipts')
    .select('purchase_id')
    .where(isUncounted(chain, height))
    .execute()
  return rows.map(({ purchase_id }) => purchase_id)
}

/**
 * Whether a receipt on a chain still lacks confirmations, so that the next block is awaited. The
 * planner assumes that a third of all receipts are like that. If it knew that one is enough, it
 * would expect to meet one soon in any order, and read the whole table where there is none.
 */
export async function isAnyConfirming(database: Database, chain: string): Promise<boolean> {
  const { rows } = await sql<{ is_any: boolean }>`
    with confirming as materialized (
      select from receipts
      where chain = ${chain} and not is_gone and confirmations < required_confirmations
    )
    select exists (select from confirming) as is_any`.execute(database)
  return rows[0]?.is_any ?? false
}

/** Counts the confirmations of purchases' receipts that have too few, after the chain has grown. */
export async function countConfirmations(
  transaction: DatabaseTransaction,
  chain: string,
  height: bigint,
  purchaseIds: readonly string[],
): Promise<void> {
  const counted = countedAt(height)
  await transaction
    .updateTable('receipts')
    .set({
      confirmations: counted,
      was_confirmed: sql`was_confirmed or ${counted} >= required_confirmations`,
    })
    .where(isUncounted(chain, height))
    .where(sql<boolean>`purchase_id = any (${purchaseIds}::uuid[])`)
    .execute()
}

const countedAt = (height: bigint) =>
  sql<number>`least(${height} - block_height + 1, required_confirmations)::integer`

const isUncounted = (chain: string, height: bigint) => sql<boolean>`
  chain = ${chain} and not is_gone and confirmations < required_confirmations
  and block_height <= ${height} and confirmations <> ${countedAt(height)}`

/** All receipts of purchases, by purchase, oldest first, including those that are gone. */
export async function listReceipts(
  database: Database,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, Receipt[]>> {
  if (purchaseIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('receipts')
    .selectAll()
    .where('purchase_id', 'in', purchaseIds)
    .orderBy('seen_at')
    .orderBy('id')
    .execute()
  return Map.groupBy(rows.map(readReceipt), ({ purchaseId }) => purchaseId)
}

/** A receipt as the last settlement of its purchase counted it. */
export type CountedReceipt = Receipt & {
  /** False for one that was read since: the purchase's status does not reflect it yet. */
  isCounted: boolean
}

/**
 * All receipts of a purchase as its status reflects them, oldest first, including those that are
 * gone.
 */
export async function listCountedReceipts(
  database: Database,
  purchaseId: string,
): Promise<CountedReceipt[]> {
  const rows = await database
    .selectFrom('receipts')
    .selectAll()
    .where('purchase_id', '=', purchaseId)
    .orderBy('seen_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const { settled_amount: amount, settled_confirmations: confirmations } = row
    const read = readReceipt(row)
    if (amount === null || confirmations === null) return { ...read, isCounted: row.is_gone }
    const isConfirmed = confirmations >= row.required_confirmations
    const state = isConfirmed ? 'confirmed' : 'seen'
    return { ...read, amount, confirmations, state, isCounted: true }
  })
}

function readReceipt(row: Row<'receipts'>): Receipt {
  const { market_stage_id, market_token_price, market_crypto_price } = row
  const isConfirmed = row.confirmations >= row.required_confirmations
  const isUnpriced = market_stage_id !== null && market_crypto_price === null
  return {
    id: row.id,
    purchaseId: row.purchase_id,
    chain: row.chain,
    transactionHash: row.transaction_hash,
    index: row.output_index,
    paymentTokenId: row.payment_token_id,
    asset: row.asset,
    amount: row.amount,
    booked: row.booked,
    state: row.is_gone ? 'gone' : isConfirmed ? 'confirmed' : 'seen',
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    wasConfirmed: row.was_confirmed,
    seenAt: row.seen_at,
    market:
      market_stage_id === null || market_token_price === null || market_crypto_price === null
        ? null
        : {
            stageId: market_stage_id,
            tokenPrice: market_token_price,
            cryptoPrice: market_crypto_price,
          },
    ...(isUnpriced && { isUnpriced }),
  }
}
