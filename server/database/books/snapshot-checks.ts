import { sql } from 'kysely'

import type { SubjectCheck } from './subject-check.ts'

/**
 * What must hold of a snapshot: its leaves match its owners, and both match the ledger up to its
 * position. The ledger only grows, so this stays true whatever comes later.
 */
export const snapshotChecks: readonly SubjectCheck[] = [
  {
    name: 'snapshot_is_in_ledger',
    kind: 'user',
    find: (ids) => sql`
      with leaf as (
        select snapshot, user_id, sum(tokens) as tokens
        from snapshot_leaves where user_id = any (${ids}::uuid[])
        group by snapshot, user_id
      ),
      balance as (
        select number as snapshot, user_id, sum(
          case when destination = 'user:' || user_id then amount::numeric else -amount end
        ) as tokens
        from ledger_transfers join snapshots on id <= ledger_position
        where asset = 'token' and user_id = any (${ids}::uuid[])
        group by number, user_id
      ),
      found as (
        select asked.id, number, coalesce(owned.tokens, 0) as owned,
          coalesce(leaf.tokens, 0) as leaf, coalesce(balance.tokens, 0) as balance
        from unnest(${ids}::uuid[]) as asked (id)
        cross join snapshots
        left join snapshot_owners as owned
          on owned.snapshot = number and owned.user_id = asked.id
        left join leaf on leaf.snapshot = number and leaf.user_id = asked.id
        left join balance on balance.snapshot = number and balance.user_id = asked.id
      )
      select id as owner, id as subject, format(
        'User %s owns %s by snapshot %s, %s by its leaves and %s by the ledger', id, owned, number,
        leaf, balance
      ) as fault
      from found where owned <> leaf or leaf <> balance`,
  },
  {
    name: 'snapshot_adds_up',
    kind: 'snapshot',
    find: (ids) => sql`
      select number::text as owner, number::text as subject, format(
        'Snapshot %s has %s in %s leaves and %s owners, and its rows have %s in %s, %s in %s, and %s by the ledger',
        number, snapshots.tokens, leaf_count, owner_count, leaf.tokens, leaf.count, owned.tokens,
        owned.count, balance.tokens
      ) as fault
      from snapshots
      cross join lateral (
        select coalesce(sum(tokens), 0) as tokens, count(distinct tree_index) as count
        from snapshot_leaves where snapshot = number
      ) as leaf
      cross join lateral (
        select coalesce(sum(tokens), 0) as tokens, count(*) as count
        from snapshot_owners where snapshot = number
      ) as owned
      cross join lateral (
        select coalesce(
          sum(case when destination = 'user:' || user_id then amount::numeric else -amount end), 0
        ) as tokens
        from ledger_transfers
        where asset = 'token' and user_id is not null and id <= ledger_position
      ) as balance
      where number = any (${ids}::integer[]) and (
        (snapshots.tokens, leaf_count) is distinct from (leaf.tokens, leaf.count)
        or (snapshots.tokens, owner_count) is distinct from (owned.tokens, owned.count)
        or snapshots.tokens <> balance.tokens
      )`,
  },
]
