import { isFresh } from '#domain/sale/price.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { OtherPsbt, PayoutRecord } from '#server/ports/payouts.ts'
import { createCoinRecord } from '#server/database/refunds/coin-transfers.ts'
import { withFormer } from '#server/database/refunds/former-claims.ts'
import { sql } from 'kysely'

/** Whether an address, written as on its chain, was ever given out for payment. */
export async function isOwnAddress(database: Database, address: string): Promise<boolean> {
  const { rows } = await sql<{ is_own: boolean }>`
    select
      exists (select from derived_addresses where address = ${address})
      or exists (select from purchases where lower(address) = ${address.toLowerCase()})
        as is_own`.execute(database)
  return rows[0]?.is_own === true
}

/** What rails look up for payouts. */
export function createPayoutRecord(database: Database, now: () => Date): PayoutRecord {
  return {
    async priceOf(symbol) {
      const row = await database
        .selectFrom('prices')
        .select(['price', 'fetched_at'])
        .where('symbol', '=', symbol)
        .executeTakeFirst()
      const isUsable = row !== undefined && isFresh(row.fetched_at, now())
      return isUsable ? row.price : null
    },
    async listReceived(chain, { name, fingerprint }) {
      const rows = await database
        .selectFrom('receipts')
        .innerJoin('purchases', 'purchases.id', 'receipts.purchase_id')
        .innerJoin('derived_addresses as derived', 'derived.address', 'purchases.address')
        .select([
          'receipts.transaction_hash as transactionHash',
          'receipts.output_index as index',
          'receipts.block_height as blockHeight',
          'receipts.amount',
          'derived.derivation_index as derivationIndex',
          'derived.address',
        ])
        .where('receipts.chain', '=', chain)
        .where('receipts.is_gone', '=', false)
        .where('receipts.payment_token_id', 'is not', null)
        .whereRef('receipts.confirmations', '>=', 'receipts.required_confirmations')
        .where('derived.key_name', '=', name)
        .where('derived.fingerprint', '=', fingerprint)
        .execute()
      return rows.map(({ blockHeight, derivationIndex, ...row }) => ({
        ...row,
        blockHeight: blockHeight ?? 0n,
        derivationIndex: Number(derivationIndex),
      }))
    },
    coins: createCoinRecord(database, now),
    psbts: createPsbtRecord(database, now),
  }
}

function createPsbtRecord(database: Database, now: () => Date): PayoutRecord['psbts'] {
  async function find(batchId: bigint): Promise<string | null> {
    const row = await database
      .selectFrom('payout_psbts')
      .select('psbt')
      .where('batch_id', '=', batchId)
      .executeTakeFirst()
    return row?.psbt ?? null
  }

  return {
    find,
    async listOthers(chain, batchId, claimIds) {
      const { rows } = await sql<OtherPsbt>`
        select batch.id as "batchId", made.psbt, batch.state, exists (
          select from refund_batch_claims as inside
          where inside.batch_id = batch.id and inside.left_at is not null
            and inside.claim_id in ${withFormer(claimIds)}
        ) as "hasLost"
        from payout_psbts as made join refund_batches as batch on batch.id = made.batch_id
        where batch.chain = ${chain} and batch.id <> ${batchId}
        order by batch.id`.execute(database)
      return rows
    },
    async nextChangeIndex({ name, fingerprint }) {
      const row = await database
        .selectFrom('payout_psbts')
        .select((select) => select.fn.max('change_index').as('last'))
        .where('key_name', '=', name)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst()
      return row?.last == null ? 0 : Number(row.last) + 1
    },
    async keep({ batchId, psbt, key, changeIndex }) {
      await database
        .insertInto('payout_psbts')
        .values({
          batch_id: batchId,
          psbt,
          key_name: key.name,
          fingerprint: key.fingerprint,
          change_index: BigInt(changeIndex),
          made_at: now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const kept = await find(batchId)
      if (kept !== null) return kept
      // Another batch has taken the change index at the same moment.
      throw new Unavailable('Another PSBT was made just now: ask for this one again')
    },
  }
}

/** The asset of a claim to be paid at an address; null if there is none on that chain. */
export async function findPayoutToken(
  database: Database,
  chain: string,
  address: string,
): Promise<string | null> {
  const row = await database
    .selectFrom('refund_claims')
    .select('payment_token_id')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('claimed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.payment_token_id ?? null
}
