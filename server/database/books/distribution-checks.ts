import { sql } from 'kysely'

import type { SubjectCheck } from './subject-check.ts'

/**
 * What must hold of a distribution: its rows, its owners' parts and its files add up to its total,
 * and together with earlier active ones it gives nobody more than its snapshot says.
 */
export const distributionChecks: readonly SubjectCheck[] = [
  {
    name: 'distribution_adds_up',
    kind: 'distribution',
    find: (ids) => sql`
      select made.id::text as owner, made.id::text as subject, format(
        'Distribution %s has %s rows of %s tokens (%s base units), and they are %s of %s (%s), their parts %s, %s of them uneven',
        made.id, made.row_count, made.tokens, made.amount, listed.count, listed.tokens,
        listed.amount, part.tokens, uneven.count
      ) as fault
      from distributions as made
      cross join lateral (
        select count(*) as count, coalesce(sum(tokens), 0) as tokens,
          coalesce(sum(amount), 0) as amount
        from distribution_rows where distribution_id = made.id
      ) as listed
      cross join lateral (
        select coalesce(sum(tokens), 0) as tokens
        from distribution_parts where distribution_id = made.id
      ) as part
      cross join lateral (
        select count(*) as count from (
          select from distribution_parts as each
          join distribution_rows as line using (distribution_id, place)
          where each.distribution_id = made.id
          group by line.place, line.tokens having sum(each.tokens) <> line.tokens
        ) as uneven
      ) as uneven
      where made.id = any (${ids}::bigint[]) and (
        (made.row_count, made.tokens, made.amount)
          is distinct from (listed.count, listed.tokens, listed.amount)
        or part.tokens <> listed.tokens or uneven.count > 0
      )`,
  },
  {
    name: 'nobody_is_given_more_than_owned',
    kind: 'distribution',
    find: (ids) => sql`
      select made.id::text as owner, part.user_id::text as subject, format(
        'User %s is given %s up to distribution %s, and owns %s by snapshot %s', part.user_id,
        given.tokens, made.id, owned.tokens, made.snapshot
      ) as fault
      from distributions as made
      join distribution_parts as part on part.distribution_id = made.id
      left join snapshot_owners as owned
        on owned.snapshot = made.snapshot and owned.user_id = part.user_id
      cross join lateral (
        select sum(former.tokens) as tokens
        from distribution_parts as former
        join distributions as standing on standing.id = former.distribution_id
        where former.user_id = part.user_id and standing.id <= made.id
          and standing.state in ('made', 'published')
      ) as given
      where made.id = any (${ids}::bigint[]) and made.state <> 'withdrawn'
        and given.tokens > coalesce(owned.tokens, 0)`,
  },
]
