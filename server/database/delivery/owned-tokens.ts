import { type RawBuilder, sql } from 'kysely'

import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What the owner got from a purchase or a reward. */
export type OwnedLeaf = {
  causeId: string
  userId: string
  /**
   * In which it was made or earned, whichever stages gave the tokens: that stage's schedule was
   * promised.
   */
  stageId: string
  tokens: TokenAmount
}

/**
 * The position of the ledger with regard to buyers' tokens. Moving them holds a stage's counter
 * until the transaction ends, so under the locks of all counters no such move is in progress.
 */
export type OwnedPosition = {
  /** The last transfer that moved any; null if none has. */
  lastId: bigint | null
  count: bigint
  /** Their sum. */
  tokens: TokenAmount
}

/** Of the ledger: transfers of tokens from or to an account of a buyer. */
export const movesOwned = sql`asset = ${sql.lit(TOKEN_ASSET)} and user_id is not null`

/** What such a transfer gave to the buyer, or took. */
export const ownedChange = sql`
  case when destination = 'user:' || user_id then amount::numeric else -amount end`

/** How many causes are read at a time. */
const BATCH = 2_000

/**
 * Everything that is owned, in the order of {@link readOwnedLeaves}, as of one moment. `onPosition`
 * gets that moment's position in the ledger, and the number of owners, before the first batch.
 */
export function readOwnedAtOnce(
  database: Database,
  onPosition: (position: OwnedPosition, ownerCount: number) => void,
): AsyncGenerator<OwnedLeaf[]> {
  return readSnapshot(database, async function* (snapshot) {
    onPosition(await findOwnedPosition(snapshot), await countOwners(snapshot))
    yield* readOwnedLeaves(snapshot)
  })
}

/**
 * Everything that is owned, cause by cause in the order of their ids, purchases first and then
 * rewards. Each batch is of another moment, unless the given database is a snapshot.
 */
export async function* readOwnedLeaves(database: Database): AsyncGenerator<OwnedLeaf[]> {
  yield* readBatches(database, purchaseLeaves)
  yield* readBatches(database, rewardLeaves)
}

/** How many people have tokens. */
async function countOwners(database: Database): Promise<number> {
  let count = 0
  for (let after = FIRST_ID; ;) {
    const { rows } = await sql<{ count: number; through: string | null }>`
      with page as materialized (
        select user_id, sum(${ownedChange}) as tokens
        from ledger_transfers where ${movesOwned} and user_id > ${after}::uuid
        group by user_id order by user_id limit ${sql.lit(OWNERS_AT_ONCE)}
      )
      select (select count(*)::integer from page where tokens > 0) as count,
        (select user_id from page order by user_id desc limit 1) as through`.execute(database)
    const [page] = rows
    if (page === undefined || page.through === null) return count
    count += page.count
    after = page.through
  }
}

/** No user has this id, and all others come after it. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** How many transfers one statement adds up, and how many owners it counts, within its time. */
const [TRANSFERS_AT_ONCE, OWNERS_AT_ONCE] = [200_000, 20_000]

/** The ledger's position with regard to buyers' tokens; of one moment if the given database is. */
export async function findOwnedPosition(database: Database): Promise<OwnedPosition> {
  let position: OwnedPosition = { lastId: null, count: 0n, tokens: tokenAmount(0n) }
  for (let after = 0n; ;) {
    const { rows } = await sql<{
      through: bigint | null
      last_id: bigint | null
      count: bigint
      tokens: bigint
    }>`
      select max(id) as through, max(id) filter (where ${movesOwned}) as last_id,
        count(*) filter (where ${movesOwned}) as count,
        coalesce(sum(${ownedChange}) filter (where ${movesOwned}), 0) as tokens
      from (
        select * from ledger_transfers where id > ${after}
        order by id limit ${sql.lit(TRANSFERS_AT_ONCE)}
      ) as page`.execute(database)
    const [page] = rows
    if (page === undefined || page.through === null) return position
    position = {
      lastId: page.last_id ?? position.lastId,
      count: position.count + page.count,
      tokens: (position.tokens + page.tokens) as TokenAmount,
    }
    after = page.through
  }
}

/**
 * What buyers own: what stages have sold, and rewards. It equals the ledger's sum as long as the
 * books agree, without reading the ledger.
 */
export async function sumOwned(database: Database): Promise<TokenAmount> {
  const { rows } = await sql<{ tokens: TokenAmount }>`
    select coalesce((select sum(sold) from stage_counters), 0)
      + coalesce((select sum(tokens) from rewards where status = 'completed'), 0) as tokens
  `.execute(database)
  return rows[0]?.tokens ?? tokenAmount(0n)
}

/** How often tokens of buyers were moved after a transfer, and when first. */
export async function countMovementsSince(
  database: Database,
  position: bigint,
): Promise<{ count: number; firstAt: Date | null }> {
  const { rows } = await sql<{ count: number; first_at: Date | null }>`
    select count(*)::integer as count, min(at) as first_at
    from ledger_transfers where id > ${position} and ${movesOwned}`.execute(database)
  const [row] = rows
  return { count: row?.count ?? 0, firstAt: row?.first_at ?? null }
}

type Leaves = (which: RawBuilder<unknown>, countMax: RawBuilder<unknown>) => RawBuilder<LeafRow>
type LeafRow = { cause_id: string; user_id: string; stage_id: string; tokens: TokenAmount }

/** What buyers got from purchases; `which` chooses them. */
export const purchaseLeaves: Leaves = (which, countMax) => sql<LeafRow>`
  select id as cause_id, user_id, stage_id, given.tokens
  from purchases
  cross join lateral (
    select sum((part ->> 'tokens')::numeric) as tokens
    from jsonb_array_elements(allocations) as part
  ) as given
  where allocations <> '[]' and given.tokens > 0 and ${which} order by id ${countMax}`

export const rewardLeaves: Leaves = (which, countMax) => sql<LeafRow>`
  select id as cause_id, referrer_id as user_id, stage_id, tokens::numeric as tokens
  from rewards
  where status = 'completed' and tokens > 0 and ${which} order by id ${countMax}`

function readBatches(snapshot: Database, leaves: Leaves): AsyncGenerator<OwnedLeaf[]> {
  return readInBatches(
    (after: string | null) => readBatch(snapshot, leaves, after),
    ({ causeId }) => causeId,
  )
}

/** The next ones by id, after one. */
async function readBatch(
  snapshot: Database,
  leaves: Leaves,
  after: string | null,
): Promise<OwnedLeaf[]> {
  const beyond = after === null ? sql`true` : sql`id > ${after}`
  const { rows } = await leaves(beyond, sql`limit ${BATCH}`).execute(snapshot)
  return rows.map(({ cause_id: causeId, user_id: userId, stage_id: stageId, tokens }) => {
    return { causeId, userId, stageId, tokens }
  })
}
