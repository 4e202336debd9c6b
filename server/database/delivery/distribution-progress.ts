import { sql } from 'kysely'
import { onceTools } from '#domain/delivery/delivery-state.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** How far a distribution has come. Amounts are in base units of the token's contract. */
export type DistributionProgress = {
  rows: number
  /** Rows that were claimed or sent in full; `delivered` counts those that are final. */
  claimed: number
  delivered: number
  /** Rows that were sent less than they are due, while the rest can still come. */
  short: number
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
    )
    select distributions.row_count as rows,
      count(paid.place) filter (where ${isWhole}) as claimed,
      count(paid.place) filter (where ${isWhole} and paid.height <= distributions.read_height)
        as delivered,
      count(paid.place) filter (where not ${isWhole} and distributions.ended_at is null) as short,
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
    swept: number('swept'),
    amountArrived: BigInt(found?.amountArrived ?? 0),
    amountSwept: BigInt(found?.amountSwept ?? 0),
    amountMissing: BigInt(found?.amountMissing ?? 0),
  }
}

/** A contract pays a row once; transfers by a wallet may come in parts. */
const isByContract = sql`distributions.tool in (${sql.join(onceTools.map((tool) => sql.lit(tool)))})`
const isWhole = sql`(paid."isClaimed" or paid.arrived >= paid.amount)`
