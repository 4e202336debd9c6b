import { sql } from 'kysely'

import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { subtract, type TokenAmount, tokenAmount } from '#domain/money.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** All that one user owns: what is to be handed out after the sale. */
export type AllocationRow = {
  userId: string
  email: string
  firstName: string
  lastName: string
  base: TokenAmount
  bonuses: TokenAmount
  total: TokenAmount
}

/**
 * How many users are read at a time, whether or not they own anything: so few that V8 takes their
 * rows for short-lived.
 */
const BATCH = 200

/**
 * Everybody who has tokens, in batches, by id. All of it is one snapshot, so its sum is what the
 * ledger held at one moment, however long the reading takes; it occupies a database connection
 * until the last batch, or until the reader stops. Rewards count as base tokens, as in a user's
 * balance.
 */
export function readAllocations(database: Database): AsyncGenerator<AllocationRow[]> {
  return readSnapshot(database, async function* (snapshot) {
    const next = (after: string | null) => listOwners(snapshot, after)
    for await (const rows of readInBatches(next, ({ userId }) => userId)) {
      const owners = rows.flatMap(readOwner)
      if (owners.length > 0) yield owners
    }
  })
}

type OwnerRow = Pick<AllocationRow, 'userId' | 'email' | 'firstName' | 'lastName'> & {
  total: TokenAmount | null
  bonuses: TokenAmount | null
}

/** The next users with what they own, each found by two index look-ups. */
async function listOwners(transaction: Database, after: string | null): Promise<OwnerRow[]> {
  const beyond = after === null ? sql`true` : sql`id > ${after}`
  const { rows } = await sql<OwnerRow>`
    select users.id as "userId", email, first_name as "firstName", last_name as "lastName", total,
      bonuses
    from (select * from users where ${beyond} order by id limit ${BATCH}) as users
    cross join lateral (
      select sum(case when destination = 'user:' || users.id then amount else -amount end) as total
      from ledger_transfers
      where user_id = users.id and asset = ${sql.lit(TOKEN_ASSET)}
    ) as owned
    cross join lateral (
      select sum(bonus.tokens::numeric) as bonuses
      from purchases, jsonb_each_text(credited_bonuses) as bonus (type, tokens)
      where user_id = users.id and status = 'completed'
    ) as bonus
    order by users.id`.execute(transaction)
  return rows
}

function readOwner({ total, ...owner }: OwnerRow): AllocationRow[] {
  if (total === null || total === 0n) return []
  const bonuses = owner.bonuses ?? tokenAmount(0n)
  return [{ ...owner, base: subtract(total, bonuses), bonuses, total }]
}
