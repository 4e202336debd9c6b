import { type RawBuilder, sql } from 'kysely'

import type { TokenAmount } from '#domain/money.ts'
import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What one owner has from one stage, by the ledger: purchases with their bonuses, and rewards. */
export type StageHolding = {
  /**
   * Of the purchase or the reward, whichever stage its tokens came from: its buyer was promised
   * that stage's schedule. Null if unknown.
   */
  stageId: string | null
  tokens: TokenAmount
}

export type OwnerHoldings = {
  userId: string
  email: string
  firstName: string
  lastName: string
  holdings: readonly StageHolding[]
}

export async function listHoldings(database: Database, userId: string): Promise<StageHolding[]> {
  const query = holdingsOf(sql`${userId}::uuid`)
  const { rows } = await sql<StageHolding>`${query} order by 1`.execute(database)
  return rows
}

/** How many owners are read at a time. */
const BATCH = 1_000

/** Everybody who has tokens, in batches from one snapshot, by id. */
export function readHoldings(database: Database): AsyncGenerator<OwnerHoldings[]> {
  return readSnapshot(database, async function* (snapshot) {
    const next = (after: string | null) => listOwners(snapshot, after)
    for await (const rows of readInBatches(next, ({ userId }) => userId)) {
      const owners = ownersOf(rows)
      if (owners.length > 0) yield owners
    }
  })
}

type HoldingRow = Omit<OwnerHoldings, 'holdings'> & {
  stageId: string | null
  /** Null for a user without tokens. */
  tokens: TokenAmount | null
}

/** The next users with what they own, each found by an index look-up. */
async function listOwners(snapshot: Database, after: string | null): Promise<HoldingRow[]> {
  const beyond = after === null ? sql`true` : sql`id > ${after}`
  const { rows } = await sql<HoldingRow>`
    select users.id as "userId", email, first_name as "firstName", last_name as "lastName",
      "stageId", tokens
    from (select * from users where ${beyond} order by id limit ${BATCH}) as users
    left join lateral (${holdingsOf(sql`users.id`)}) as holding on true
    order by users.id, "stageId"`.execute(snapshot)
  return rows
}

/** Each transfer looks up its own stage: a join would read whole tables for a few of them. */
function holdingsOf(userId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select "stageId", sum(tokens) as tokens
    from (
      select
        coalesce(
          (select stage_id from purchases where purchases.id = cause_id),
          (select stage_id from rewards where rewards.id = cause_id)
        ) as "stageId",
        case when destination = 'user:' || ${userId} then amount else -amount end as tokens
      from ledger_transfers
      where ledger_transfers.user_id = ${userId} and asset = ${sql.lit(TOKEN_ASSET)}
    ) as movement
    group by 1
    having sum(tokens) <> 0`
}

function ownersOf(rows: readonly HoldingRow[]): OwnerHoldings[] {
  return [...Map.groupBy(rows, ({ userId }) => userId).values()].flatMap((own) => {
    const [first] = own
    const holdings = own.flatMap(({ stageId, tokens }) => {
      return tokens === null ? [] : [{ stageId, tokens }]
    })
    if (first === undefined || holdings.length === 0) return []
    const { userId, email, firstName, lastName } = first
    return [{ userId, email, firstName, lastName, holdings }]
  })
}
