import type { NamedStatements } from '#server/database/tables/tables.ts'

/** Attempts under one key, of which a rule allows a limited number in a period. */
export type CountedTry = { key: string; triesMax: number; perMs: number }

/**
 * Not flushed: after a power cut the attempts of the last moment are free again, which gains a
 * guesser nothing, while a flush for each count would cost a login more than its queries do. It
 * applies to this statement only, which is a transaction of its own.
 */
const UNFLUSHED = `
  unflushed as materialized (select set_config('synchronous_commit', 'off', true)),
  moment as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms from unflushed
  )`

/**
 * Counts an attempt against each rule in turn, up to the first one that refuses; the rules after it
 * do not count it. Returns how long that rule will still refuse, or null if none does. The order is
 * also that of their locks: everybody who takes several takes them in the same order.
 */
export async function countTries(
  statements: NamedStatements,
  tries: readonly CountedTry[],
): Promise<number | null> {
  const [refusal] = await statements.runNamed<{ wait_ms: bigint }>(
    `count_${tries.length}_tries`,
    countText(tries.length),
    tries.flatMap(({ key, triesMax, perMs }) => [key, triesMax, perMs]),
  )
  return refusal === undefined ? null : Number(refusal.wait_ms)
}

function countText(count: number): string {
  const all = Array.from({ length: count }, (_, nth) => nth + 1)
  const parts = all.map((nth) => {
    const [key, triesMax, perMs] = [nth * 3 - 2, nth * 3 - 1, nth * 3].map((at) => `$${at}`)
    const before = nth === 1 ? '' : `join try_${nth - 1} on not try_${nth - 1}.is_refused`
    return `
  try_${nth} as (
    insert into rate_limits as known (key, points, expire)
    select ${key}::text, 1, moment.ms + ${perMs}::bigint from moment ${before}
    on conflict (key) do update set
      points = case when known.expire <= excluded.expire - ${perMs}::bigint
        then 1 else known.points + 1 end,
      expire = case when known.expire <= excluded.expire - ${perMs}::bigint
        then excluded.expire else known.expire end
    returning points > ${triesMax}::integer as is_refused, expire
  )`
  })
  return `
  with ${[UNFLUSHED, ...parts].join(',')}
  select tried.expire - moment.ms as wait_ms
  from moment, (${all.map((nth) => `select * from try_${nth}`).join(' union all ')}) as tried
  where tried.is_refused`
}

/**
 * Clears the attempts under the keys of `cleared`, and takes one back from each of `refunded`; an
 * expired one counts for nothing anyway. Locks them in order.
 */
export async function restoreTries(
  statements: NamedStatements,
  cleared: readonly string[],
  refunded: readonly string[],
): Promise<void> {
  await statements.runNamed(
    'restore_tries',
    `with ${UNFLUSHED}, held as materialized (
      select known.key, given.nth <= $2::integer as is_cleared
      from moment, unnest($1::text[]) with ordinality as given (key, nth)
      join rate_limits as known on known.key = given.key
      order by given.nth for update of known
    ), refunded as (
      update rate_limits set points = points - 1 from held, moment
      where rate_limits.key = held.key and not held.is_cleared
        and points > 0 and expire > moment.ms
    )
    delete from rate_limits using held
    where rate_limits.key = held.key and held.is_cleared`,
    [[...cleared, ...refunded], cleared.length],
  )
}
