import { sql } from 'kysely'
import type { DistributionState } from '#domain/delivery/distribution.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { EventRow, FollowedRow } from './distribution-events.ts'
import { outdatedRows } from './distribution-progress.ts'

export type PartRow = {
  distribution_id: bigint
  place: number
  tokens: bigint
  row_tokens: bigint
  address: string
  amount: bigint
  /** The place of its leaf in the tree; null if the tool has none. */
  tree_index: number | null
  tool: FollowedRow['tool']
  state: DistributionState
  chain_id: bigint
  token: string
  token_decimals: number
  row_count: number
  contract: string | null
  claim_url: string | null
  read_height: bigint | null
  expires_at: Date | null
  /** Whether some was taken back, and what is left is too little for the row. */
  is_swept: boolean
}

/**
 * What distributions gave to a user, newest first. Of ended ones only what has arrived: the rest is
 * due again.
 */
export async function listParts(database: Database, userId: string): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select part.distribution_id, part.place, part.tokens, listed.tokens as row_tokens,
      listed.address, listed.amount, listed.tree_index, distributions.tool,
      distributions.state, distributions.chain_id, distributions.token,
      distributions.token_decimals, distributions.row_count, distributions.contract,
      distributions.claim_url, distributions.read_height, distributions.expires_at,
      coalesce(distributions.remaining < listed.amount, false) as is_swept
    from distribution_parts as part
    join distributions on distributions.id = part.distribution_id
    join distribution_rows as listed
      on listed.distribution_id = part.distribution_id and listed.place = part.place
    where part.user_id = ${userId} and (
      distributions.state = 'published'
      or distributions.ended_at is not null and exists (
        select from distribution_events as event
        where event.distribution_id = part.distribution_id and event.place = part.place
      )
    )
    order by part.distribution_id desc`.execute(database)
  return rows
}

/** What the chain shows of a user's rows, in the chain's order. */
export async function listPartEvents(database: Database, userId: string): Promise<EventRow[]> {
  return await database
    .selectFrom('distribution_events')
    .innerJoin('distribution_parts', (join) =>
      join
        .onRef('distribution_parts.distribution_id', '=', 'distribution_events.distribution_id')
        .onRef('distribution_parts.place', '=', 'distribution_events.place'),
    )
    .selectAll('distribution_events')
    .where('distribution_parts.user_id', '=', userId)
    .orderBy('distribution_events.block_height')
    .orderBy('distribution_events.log_index')
    .execute()
}

/** What a user owned in the newest snapshot; null before the first, or if nothing was theirs. */
export async function findOwned(
  database: Database,
  userId: string,
): Promise<{ tokens: bigint; address: string | null } | null> {
  const row = await database
    .selectFrom('snapshot_owners')
    .select(['tokens', 'address'])
    .where('user_id', '=', userId)
    .where('snapshot', '=', ({ selectFrom }) =>
      selectFrom('snapshots').select(({ fn }) => fn.max('number').as('number')),
    )
    .executeTakeFirst()
  return row ?? null
}

export async function listRowsAt(
  database: Database,
  id: bigint,
  places: readonly number[],
): Promise<{ place: number; amount: bigint }[]> {
  if (places.length === 0) return []
  return await database
    .selectFrom('distribution_rows')
    .select(['place', 'amount'])
    .where('distribution_id', '=', id)
    .where((where) => where('place', '=', sql<number>`any (${arrayText(places)}::integer[])`))
    .execute()
}

/**
 * Buyers of a distribution who have claimed nothing, and were not mailed yet. Nobody is told to
 * claim what a correction has taken.
 * @param key What the unique keys of those mails begin with, before the user's id.
 */
export async function listDueMails(
  database: Database,
  id: bigint,
  key: string,
  countMax: number,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select part.user_id from distribution_parts as part
    where part.distribution_id = ${id}
      and part.place not in (${outdatedRows(id)})
      and not exists (
        select from outbox_mails as mail where mail.unique_key = ${key}::text || part.user_id::text
      )
      and not exists (
        select from distribution_events as event
        where event.distribution_id = part.distribution_id and event.place = part.place
      )
    limit ${countMax}`.execute(database)
  return rows.map(({ user_id: userId }) => userId)
}
