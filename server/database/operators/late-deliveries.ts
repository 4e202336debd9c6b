import { sql } from 'kysely'

/** Further late wallets of a distribution that was put away make another item. */
const lateId = sql`concat_ws(':', late.distribution_id, late.count)`
const repeatedId = sql`concat_ws(
  ':', repeated.distribution_id, 'repeated', repeated.count, extract(epoch from repeated.last_at)
)`

/** The distributions by which tokens arrived late or again, as a query. */
export const lateDeliveries = sql`
  select ${lateId} as item_id, late.since,
    format('%s, %s of them in a list that was made later', late.count, late.twice) as note
  from (
    select event.distribution_id, count(distinct event.place) as count, min(event.at) as since,
      count(distinct event.place) filter (where exists (
        select from distribution_parts as part
        join distribution_parts as again using (user_id)
        join distributions as later on later.id = again.distribution_id
        where part.distribution_id = event.distribution_id and part.place = event.place
          and later.id > event.distribution_id and later.ended_at is null
      )) as twice
    from distribution_events as event
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
