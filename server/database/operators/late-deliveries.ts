import { sql } from 'kysely'

/** Further late wallets of a distribution that was put away make another item. */
const lateId = sql`concat_ws(':', late.distribution_id, late.count)`
const repeatedId = sql`concat_ws(
  ':', repeated.distribution_id, 'repeated', repeated.count, extract(epoch from repeated.last_at)
)`

const isPaid = sql`
  select from distribution_events as paid
  where paid.distribution_id = other.id and paid.place = again.place`

/**
 * A list may still give what arrived up to this long before it was made, since lists that have
 * ended are read only every ten minutes and the times of blocks differ from the server's.
 */
const margin = sql`interval '15 minutes'`

/**
 * Whether a row's owner is given the same tokens by another list: by one that was made after this
 * one had ended, but before they arrived, and stands or has paid, or by one that had ended before
 * this one was made, and has paid since. Lists that stand side by side have different tokens.
 */
const isTwice = sql`exists (
  select from distribution_parts as part
  join distribution_parts as again using (user_id)
  join distributions as other on other.id = again.distribution_id
  where part.distribution_id = event.distribution_id and part.place = event.place
    and other.id <> event.distribution_id and (
      other.made_at >= ended.ended_at and event.at > other.made_at - ${margin}
        and (other.ended_at is null or exists (${isPaid}))
      or other.ended_at <= ended.made_at
        and exists (${isPaid} and paid.is_late and paid.at > ended.made_at - ${margin})
    )
)`

/** The distributions by which tokens arrived late or again, as a query. */
export const lateDeliveries = sql`
  select ${lateId} as item_id, late.since,
    format('%s, %s of them in another list of the same tokens', late.count, late.twice) as note
  from (
    select event.distribution_id, count(distinct event.place) as count, min(event.at) as since,
      count(distinct event.place) filter (where ${isTwice}) as twice
    from distribution_events as event
    join distributions as ended on ended.id = event.distribution_id
    where event.is_late and event.place is not null
    group by event.distribution_id
  ) as late
  union all
  select ${repeatedId}, repeated.since, repeated.wallets::text
  from (
    select distribution_id, count(*) as count, min(at) as since, max(at) as last_at,
      count(distinct receiver) as wallets
    from distribution_events where is_late and kind = 'repeated'
    group by distribution_id
  ) as repeated`
