import { type RawBuilder, sql } from 'kysely'
import { onceTools } from '#domain/delivery/delivery-state.ts'

const once = sql.join(onceTools.map((tool) => sql.lit(tool)))

/**
 * What distributions have given a user, as a query: the whole of those that stand, and of those
 * that have ended what has arrived by the chain, as `tokensArrived` says it. One that is being made
 * gives nothing yet.
 */
export function givenTo(
  userId: RawBuilder<unknown>,
  makingId: bigint | null,
): RawBuilder<{ tokens: bigint | null }> {
  return sql`
    select sum(case
      when distributions.ended_at is null then part.tokens else coalesce(arrived.tokens, 0)
    end) as tokens
    from distribution_parts as part
    join distributions on distributions.id = part.distribution_id
    left join lateral (
      select case
        when distributions.tool in (${once}) or sum(event.amount) >= listed.amount then part.tokens
        else div(part.tokens * sum(event.amount) + listed.amount - 1, listed.amount)
      end as tokens
      from distribution_events as event
      join distribution_rows as listed using (distribution_id, place)
      where distributions.ended_at is not null
        and event.distribution_id = part.distribution_id and event.place = part.place
      group by listed.amount
    ) as arrived on true
    where part.user_id = ${userId} and distributions.id is distinct from ${makingId}::bigint`
}
