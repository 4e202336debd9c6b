import { sql } from 'kysely'

import { chunk } from '#server/database/tables/chunk.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { CoinTransfer, PayoutRecord } from '#server/ports/payouts.ts'
import { isFollowed } from './batches.ts'

/** Of each payout: there may be very many at an address that many others pay to as well. */
const OTHERS_MAX = 5

/** The addresses of all claims that are or were in a batch that is followed. */
const payees = (now: Date) => sql`
  select claim.chain, lower(claim.address) as address from refund_batch_claims as inside
  join refund_claims as claim on claim.id = inside.claim_id
  where inside.batch_id in (select id from refund_batches where ${isFollowed(now)})`

export function createCoinRecord(database: Database, now: () => Date): PayoutRecord['coins'] {
  return {
    async listPayees(chain) {
      const { rows } = await sql<{ address: string }>`
        select distinct address from (${payees(now())}) as payee
        where chain = ${chain}`.execute(database)
      return new Set(rows.map(({ address }) => address))
    },
    async keep(chain, transfers) {
      const rows = transfers.map(({ hash, from, to, amount, height }) => ({
        chain,
        address: to,
        sender: from,
        transaction_hash: hash,
        amount,
        block_height: height,
      }))
      for (const part of chunk(rows)) {
        await database
          .insertInto('refund_coin_transfers')
          .values(part)
          .onConflict((conflict) =>
            // A reorganisation has moved it.
            conflict.columns(['chain', 'address', 'transaction_hash']).doUpdateSet((known) => ({
              block_height: known.ref('excluded.block_height'),
            })),
          )
          .execute()
      }
    },
    async list(chain, payouts, { sinceHeight, from }) {
      const { rows } = await sql<CoinTransfer>`
        select distinct hash, "from", "to", amount, height from (
          select sent.transaction_hash as hash, sent.sender as "from", sent.address as "to",
            sent.amount, sent.block_height as height, sent.amount = payout.amount as is_exact,
            row_number() over (
              partition by payout.id, sent.amount = payout.amount order by sent.block_height desc
            ) as place
          from unnest(
            ${payouts.map(({ id }) => id)}::text[],
            ${payouts.map(({ address }) => address.toLowerCase())}::text[],
            ${payouts.map(({ amount }) => String(amount))}::numeric[]
          ) as payout (id, address, amount)
          join refund_coin_transfers as sent on sent.chain = ${chain}
            and sent.address = payout.address and sent.block_height > ${sinceHeight}
            and (${from}::text is null or sent.sender = ${from})
        ) as found where is_exact or place <= ${OTHERS_MAX}`.execute(database)
      return rows
    },
  }
}

/** Deletes what was noted of claims that are not followed any more. */
export async function deleteCoinTransfers(database: Database, now: Date): Promise<void> {
  await sql`
    delete from refund_coin_transfers
    where (chain, address) not in (${payees(now)})`.execute(database)
}
