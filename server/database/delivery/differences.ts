import { type RawBuilder, sql } from 'kysely'

import type { TokenAmount } from '#domain/money.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { effectiveWallet, walletsSince } from './effective-wallet.ts'
import { movesOwned, purchaseLeaves, rewardLeaves } from './owned-tokens.ts'
import type { SnapshotRow } from './snapshots.ts'

/** How one owner differs between two snapshots, or between the last one and now. */
export type OwnerDifference = {
  userId: string
  email: string
  before: TokenAmount
  after: TokenAmount
  walletBefore: string | null
  walletAfter: string | null
  /** The purchases and rewards whose tokens differ, with the reason. */
  causes: readonly CauseDifference[]
}

export type CauseDifference = {
  causeId: string
  isReward: boolean
  before: TokenAmount
  after: TokenAmount
  status: PurchaseStatus
  reason: string | null
}

/** Two states to compare: each has owners and their leaves. */
type Compared = {
  before: SnapshotRow['number']
  owners: RawBuilder<unknown>
  leaves: RawBuilder<unknown>
  /** The users whose earlier state matters; null for everybody. */
  candidates: RawBuilder<unknown> | null
}

/** Two snapshots of which one follows the other. */
export function snapshotsCompared(number: number): Compared {
  return {
    before: number - 1,
    owners: sql`select user_id, tokens, address from snapshot_owners where snapshot = ${number}`,
    leaves: sql`select cause_id, user_id, tokens from snapshot_leaves where snapshot = ${number}`,
    candidates: null,
  }
}

/** The last snapshot and the present, for only those whose tokens or wallets have changed since. */
export function presentCompared(
  last: SnapshotRow,
  { chainId, now }: { chainId: number | null; now: Date },
): Compared {
  const candidates = sql`
    select user_id from ledger_transfers where id > ${last.ledger_position} and ${movesOwned}
    union
    ${walletsSince(last.number)}`
  const own = (column: RawBuilder<unknown>) => sql`${column} in (select user_id from candidate)`
  const leaves = sql`
    ${inner(purchaseLeaves(own(sql`user_id`), sql``))}
    union all
    ${inner(rewardLeaves(own(sql`referrer_id`), sql``))}`
  return {
    before: last.number,
    owners: sql`
      select user_id, sum(tokens) as tokens, ${effectiveWallet(sql`leaf.user_id`, chainId, now)}
        as address
      from present_leaf as leaf group by user_id`,
    leaves,
    candidates,
  }
}

const inner = (query: RawBuilder<unknown>) => sql`select * from (${query}) as inner_leaf`

/** The comparison as tables: `changed` has every user with any difference. */
function comparison({ before, owners, leaves, candidates }: Compared): RawBuilder<unknown> {
  const isLooked = candidates === null ? sql`true` : sql`user_id in (select user_id from candidate)`
  return sql`
    candidate as (${candidates ?? sql`select null::uuid as user_id where false`}),
    present_leaf as materialized (${leaves}),
    present_owner as materialized (${owners}),
    old_leaf as (
      select cause_id, user_id, tokens from snapshot_leaves
      where snapshot = ${before} and ${isLooked}
    ),
    old_owner as (
      select user_id, tokens, address from snapshot_owners
      where snapshot = ${before} and ${isLooked}
    ),
    changed_leaf as materialized (
      select coalesce(old_leaf.user_id, present_leaf.user_id) as user_id, cause_id,
        coalesce(old_leaf.tokens, 0)::numeric as before,
        coalesce(present_leaf.tokens, 0)::numeric as after
      from old_leaf full join present_leaf using (cause_id)
      where coalesce(old_leaf.tokens, 0) <> coalesce(present_leaf.tokens, 0)
    ),
    changed as (
      select coalesce(old_owner.user_id, present_owner.user_id) as user_id
      from old_owner full join present_owner using (user_id)
      where (old_owner.tokens, old_owner.address)
        is distinct from (present_owner.tokens, present_owner.address)
      union
      select user_id from changed_leaf
    )`
}

export async function isAnyDifferent(database: Database, compared: Compared): Promise<boolean> {
  const { rows } = await sql<{ is_any: boolean }>`
    with ${comparison(compared)}
    select exists (select from changed) as is_any`.execute(database)
  return rows[0]?.is_any ?? false
}

type DifferenceRow = Omit<OwnerDifference, 'causes'> & { causes: readonly StoredCause[] | null }

type StoredCause = Omit<CauseDifference, 'before' | 'after'> & { before: string; after: string }

/** How many causes are listed per owner; the export has them all. */
const CAUSES_MAX = 100

/** The differences, owner by owner in the order of their ids, from one on, inclusive. */
export async function listDifferences(
  database: Database,
  compared: Compared,
  after: string | null,
  countMax: number,
): Promise<OwnerDifference[]> {
  const { rows } = await sql<DifferenceRow>`
    with ${comparison(compared)}
    select page.user_id as "userId", users.email, coalesce(old_owner.tokens, 0)::numeric as before,
      coalesce(present_owner.tokens, 0)::numeric as after, old_owner.address as "walletBefore",
      present_owner.address as "walletAfter", cause.causes
    from (
      select user_id from changed
      where ${after}::uuid is null or user_id >= ${after}::uuid
      order by user_id limit ${countMax}
    ) as page
    join users on users.id = page.user_id
    left join old_owner on old_owner.user_id = page.user_id
    left join present_owner on present_owner.user_id = page.user_id
    left join lateral (
      select jsonb_agg(
        jsonb_build_object(
          'causeId', moved.cause_id, 'isReward', rewards.id is not null,
          'before', moved.before::text, 'after', moved.after::text,
          'status', coalesce(purchases.status, rewards.status),
          'reason', purchases.status_reason
        ) order by moved.cause_id
      ) as causes
      from (
        select cause_id, before, after from changed_leaf
        where changed_leaf.user_id = page.user_id order by cause_id limit ${sql.lit(CAUSES_MAX)}
      ) as moved
      left join purchases on purchases.id = moved.cause_id
      left join rewards on rewards.id = moved.cause_id
    ) as cause on true
    order by page.user_id`.execute(database)
  return rows.map(({ causes, ...row }) => ({
    ...row,
    causes: (causes ?? []).map((cause) => ({
      ...cause,
      before: BigInt(cause.before) as TokenAmount,
      after: BigInt(cause.after) as TokenAmount,
    })),
  }))
}
