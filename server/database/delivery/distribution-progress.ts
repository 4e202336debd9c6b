import { sql } from 'kysely'
import { onceTools } from '#domain/delivery/delivery-state.ts'
import { givenTo } from './given-tokens.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** How far a distribution has come. Amounts are in base units of the token's contract. */
export type DistributionProgress = {
  rows: number
  /** Rows that were claimed or sent in full; `delivered` counts those that are final. */
  claimed: number
  delivered: number
  /** Rows that were sent less than they are due, while the rest can still come. */
  short: number
  /** Rows not arrived in full, of which nothing more is due: see {@link outdatedRows}. */
  outdated: number
  /** Rows that nobody has claimed, and for which too little is left after some was taken back. */
  swept: number
  amountArrived: bigint
  amountSwept: bigint
  /** How much too little is left for all unclaimed rows together, since some was taken back. */
  amountMissing: bigint
}

export async function progressOf(database: Database, id: bigint): Promise<DistributionProgress> {
  const { rows } = await sql<Record<keyof DistributionProgress, string>>`
    with paid as (
      select listed.place, listed.amount, sum(event.amount) as arrived,
        bool_or(event.kind = 'claimed' and ${isByContract}) as "isClaimed",
        max(event.block_height) as height
      from distribution_events as event
      join distribution_rows as listed
        on listed.distribution_id = event.distribution_id and listed.place = event.place
      join distributions on distributions.id = event.distribution_id
      where event.distribution_id = ${id}
      group by listed.place, listed.amount
    ), unclaimed as (
      select listed.amount from distribution_rows as listed
      join distributions on distributions.id = listed.distribution_id
      where listed.distribution_id = ${id} and distributions.remaining is not null
        and not exists (select from paid where paid.place = listed.place)
    ), outdated as (${outdatedRows(id)})
    select distributions.row_count as rows,
      count(paid.place) filter (where ${isWhole}) as claimed,
      count(paid.place) filter (where ${isWhole} and paid.height <= distributions.read_height)
        as delivered,
      count(paid.place) filter (
        where not ${isWhole} and distributions.ended_at is null
          and paid.place not in (select place from outdated)
      ) as short,
      (
        select count(*) from outdated
        where place not in (select place from paid where ${isWhole})
      ) as outdated,
      (
        select count(*) from unclaimed where unclaimed.amount > distributions.remaining
      ) as swept,
      case when distributions.ended_at is null then greatest((
        select sum(unclaimed.amount) from unclaimed
      ) - distributions.remaining, 0) else 0 end as "amountMissing",
      coalesce(sum(paid.arrived), 0) as "amountArrived",
      (
        select coalesce(sum(event.amount), 0) from distribution_events as event
        where event.distribution_id = distributions.id and event.kind = 'swept'
      ) as "amountSwept"
    from distributions
    left join paid on true
    where distributions.id = ${id}
    group by distributions.id`.execute(database)
  const [found] = rows
  const number = (key: keyof DistributionProgress) => Number(found?.[key] ?? 0)
  return {
    rows: number('rows'),
    claimed: number('claimed'),
    delivered: number('delivered'),
    short: number('short'),
    outdated: number('outdated'),
    swept: number('swept'),
    amountArrived: BigInt(found?.amountArrived ?? 0),
    amountSwept: BigInt(found?.amountSwept ?? 0),
    amountMissing: BigInt(found?.amountMissing ?? 0),
  }
}

/**
 * Rows of a published list that pay more than is owned, since a correction has taken tokens from an
 * owner who was given them by then, or pay a wallet that the newest snapshot has replaced. Only
 * owners who differ from an earlier snapshot are looked at.
 */
export const outdatedRows = (id: bigint) => sql`
  select distinct listed.place
  from distributions
  join snapshots as newest on newest.number = (select max(number) from snapshots)
  join snapshot_owners as former
    on former.snapshot >= distributions.snapshot and former.snapshot < newest.number
  left join snapshot_owners as owner
    on owner.snapshot = newest.number and owner.user_id = former.user_id
  join distribution_parts as part
    on part.distribution_id = distributions.id and part.user_id = former.user_id
  join distribution_rows as listed
    on listed.distribution_id = distributions.id and listed.place = part.place
  where distributions.id = ${id} and distributions.state = 'published' and (
    owner.user_id is null or owner.tokens < former.tokens
    or lower(owner.address) is distinct from lower(former.address)
  ) and (
    lower(owner.address) <> lower(listed.address)
    or coalesce(owner.tokens, 0) < former.tokens and coalesce(owner.tokens, 0) < (
      select given.tokens from (${givenTo(sql`part.user_id`, sql`distributions.state <> 'made'`)}) as given
    )
  )`

/** A contract pays a row once; transfers by a wallet may come in parts. */
const isByContract = sql`distributions.tool in (${sql.join(onceTools.map((tool) => sql.lit(tool)))})`
const isWhole = sql`(paid."isClaimed" or paid.arrived >= paid.amount)`
