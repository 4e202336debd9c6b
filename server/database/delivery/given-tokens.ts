import { type RawBuilder, sql } from 'kysely'
import { onceTools } from '#domain/delivery/delivery-state.ts'
import type { TokenAmount } from '#domain/money.ts'

const once = sql.join(onceTools.map((tool) => sql.lit(tool)))

/** What has arrived of a part, of whose row so much was handed out, as `tokensArrived` says it. */
const arrivedOf = (handedOut: RawBuilder<unknown>) => sql`
  case
    when distributions.tool in (${once}) or ${handedOut} >= listed.amount then part.tokens
    else div(part.tokens * ${handedOut} + listed.amount - 1, listed.amount)
  end`

/**
 * What distributions have given a user, as a query: the whole of active ones, and of ended ones
 * what has arrived on the chain, as `tokensArrived` defines it. `streams` is what each has given
 * that releases it over time, by its id.
 * @param counts Which `distributions` count.
 */
export function givenTo(
  userId: RawBuilder<unknown>,
  counts: RawBuilder<boolean>,
): RawBuilder<{ tokens: bigint | null; streams: Record<string, string> | null }> {
  return sql`
    select sum(tokens) as tokens,
      jsonb_object_agg(id, tokens::text) filter (where is_stream) as streams
    from (
      select distributions.id, distributions.schedule is not null as is_stream, case
        when distributions.ended_at is null then part.tokens else coalesce(arrived.tokens, 0)
      end as tokens
      from distribution_parts as part
      join distributions on distributions.id = part.distribution_id
      left join lateral (
        select ${arrivedOf(sql`sum(event.amount)`)} as tokens
        from distribution_events as event
        join distribution_rows as listed using (distribution_id, place)
        where distributions.ended_at is not null
          and event.distribution_id = part.distribution_id and event.place = part.place
        group by listed.amount
      ) as arrived on true
      where part.user_id = ${userId} and ${counts}
    ) as each`
}

/** The same for all users together, as a query: one figure. */
export const givenToAll: RawBuilder<TokenAmount> = sql`
  select coalesce(sum(tokens), 0) from (
    select tokens from distributions where ended_at is null
    union all
    select ${arrivedOf(sql`arrived.amount`)}
    from (
      select event.distribution_id, event.place, sum(event.amount) as amount
      from distribution_events as event
      join distributions as over on over.id = event.distribution_id
      where over.ended_at is not null and event.place is not null
      group by event.distribution_id, event.place
    ) as arrived
    join distribution_rows as listed using (distribution_id, place)
    join distribution_parts as part using (distribution_id, place)
    join distributions on distributions.id = arrived.distribution_id
  ) as given`
