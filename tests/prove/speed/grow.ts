import type pg from 'pg'

/** How much there is for each user. */
const PURCHASES_PER_USER = 5
const POINTS_PER_USER = 1.5
/** How far back the first purchase lies. */
const SPAN_DAYS = 180
/** Purchases that are written by one statement, so that whoever waits sees how far it is. */
const PART = 100_000
/** Of the last purchases what was overpaid is still owed: it was paid back of all those before. */
const OWED_OF = 10_000

export type Growth = { users: number; purchases: number; pricePoints: number }

/** The access token of user number `n`, from 1 on, is this with `n` behind it. */
export const GROWN_TOKEN_PREFIX = 'grown-user-'
/** How many of the users are logged in. */
const SESSIONS_MAX = 40_000

/**
 * Fills a database, in which the shipped sale was applied and nothing was bought yet, with what a
 * sale of so many users leaves behind: for each of them five purchases, of which four in five were
 * paid and the others expired, and what belongs to them in every table. The books agree. Every id
 * follows from the seed. It needs the rights of a superuser, to leave out triggers and keys.
 */
export async function growDatabase(
  client: pg.Client,
  { users, seed, say = () => {} }: { users: number; seed: number; say?: (line: string) => void },
): Promise<Growth> {
  const purchases = users * PURCHASES_PER_USER
  const pricePoints = Math.round(users * POINTS_PER_USER)
  await client.query(`set session_replication_role = replica; set synchronous_commit = off;
    set maintenance_work_mem = '256MB'; set work_mem = '64MB'`)
  await client.query(functions(seed, users, purchases))
  // Made anew at the end, they take a fraction of the time.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not indisunique`,
  )
  await client.query(indexes.map(({ name }) => `drop index ${name}`).join(';'))
  await client.query(usersAndSessions(users))
  for (let from = 1; from <= purchases; from += PART) {
    const to = Math.min(purchases, from + PART - 1)
    await client.query(purchasesAndTheirs(from, to, purchases - OWED_OF))
    say(`${to} of ${purchases} purchases`)
  }
  await client.query(remainder(users, pricePoints))
  for (const { definition } of indexes) await client.query(definition)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
  return { users, purchases, pricePoints }
}

/** What the tables are made of; user and purchase number `n` are found again by their functions. */
function functions(seed: number, users: number, purchases: number): string {
  return `
    create function pg_temp.id_of(kind text, n bigint) returns uuid language sql immutable as $$
      select overlay(overlay(md5('${seed} ' || kind || ' ' || n) placing '4' from 13) placing '8' from 17)::uuid
    $$;
    create function pg_temp.user_of(n bigint) returns bigint language sql immutable as $$
      select 1 + (n - 1) % ${users}
    $$;
    create function pg_temp.at(n bigint) returns timestamptz language sql stable as $$
      select now() - interval '1 hour' - interval '${SPAN_DAYS} days' * (1 - n / ${purchases}::float8)
    $$;
    -- Of each user's purchases most are paid, whichever these are.
    create function pg_temp.is_paid(n bigint) returns boolean language sql immutable as $$
      select (n * 37 + (n - 1) / ${users} * 11) % 5 <> 0
    $$;
    create function pg_temp.extra(n bigint) returns numeric language sql immutable as $$
      select case when pg_temp.is_paid(n) and n % 100 = 7 then 1000000000000 else 0 end
    $$`
}

const USD = '10000000'
const BASE = '100000000000000000000000'
const BONUS = '10000000000000000000000'
const TOKENS = '110000000000000000000000'
const REWARD = '1000000000000000000000'
const DUE = '3981308000000000'

function usersAndSessions(users: number): string {
  return `
    insert into users (
      id, email, password_hash, first_name, last_name, nationality, referrer_id,
      is_email_verified, created_at
    )
    select pg_temp.id_of('user', n), 'user-' || n || '@example.com', '', 'Grace', 'Hopper', 'US',
      case when n % 12 = 0 then pg_temp.id_of('user', n - 1) end, true,
      now() - interval '${SPAN_DAYS + 1} days'
    from generate_series(1, ${users}::bigint) as n;
    insert into sessions (
      id, user_id, salt, access_token_hash, access_expires_at, refresh_token_hash,
      refresh_expires_at, started_at, last_used_at, user_agent
    )
    select pg_temp.id_of('session', n), pg_temp.id_of('user', n), '',
      sha256(convert_to('${GROWN_TOKEN_PREFIX}' || n, 'UTF8')), now() + interval '1 day',
      sha256(convert_to('refresh-${GROWN_TOKEN_PREFIX}' || n, 'UTF8')), now() + interval '1 day',
      now(), now(), 'made'
    from generate_series(1, least(${users}, ${SESSIONS_MAX})::bigint) as n`
}

/** What a purchase number `n` is, for every table that has something of it. */
const each = (from: number, to: number, last: number) => `
  select n, pg_temp.id_of('purchase', n) as id, pg_temp.id_of('user', pg_temp.user_of(n)) as user_id,
    pg_temp.id_of('receipt', n) as receipt_id, pg_temp.at(n) as at, pg_temp.is_paid(n) as is_paid,
    pg_temp.extra(n) as extra, n % 100 = 7 and n < ${last} as is_paid_back
  from generate_series(${from}::bigint, ${to}::bigint) as n`

function purchasesAndTheirs(from: number, to: number, last: number): string {
  return `
    create temporary table made on commit drop as ${each(from, to, last)};
    insert into purchases (
      id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id, rail, chain,
      address, payment_id, usd, token_price, token_decimals, crypto_price, crypto_decimals,
      crypto_due, reserved, locked_bonuses, min_usd, max_usd, required_confirmations, terms_date,
      created_at, expires_at, grace_ends_at, status, status_reason, held, reservation_left, due,
      confirmations,
      credited_usd, credited_crypto, credited_base, credited_bonuses, allocations, completed_at
    )
    select id, user_id, id::text, '${USD}:eth', 'stage-1', 'eth', 'sandbox', 'sandbox',
      'sandbox-eth-' || md5(id::text), id::text, ${USD}, 100000000, 18, 2511737500000000, 18,
      ${DUE}, ${TOKENS}, '{"flat":{"base_bonus":"100000"},"spending":[]}', 10000000, 100000000000,
      2, '2026-01-01', at, at + interval '30 minutes', at + interval '30 minutes',
      case when is_paid then 'completed' else 'expired' end,
      case when extra > 0 then 'overpaid' end, 0,
      case when is_paid then ${TOKENS} else 0 end, case when is_paid then 0 else ${DUE} end,
      case when is_paid then 2 else 0 end, case when is_paid then ${USD} else 0 end,
      case when is_paid then ${DUE} else 0 end, case when is_paid then ${BASE} else 0 end,
      case when is_paid then '{"base_bonus":"${BONUS}"}' else '{}' end::jsonb,
      case when is_paid then '[{"stageId":"stage-1","tokens":"${TOKENS}"}]' else '[]' end::jsonb,
      case when is_paid then at + interval '3 minutes' end
    from made;
    insert into purchase_status_history (purchase_id, status, status_reason, at)
    select id, step.status, step.reason, at + step.after
    from made cross join lateral (
      values
        ('pending', null, interval '0', true),
        ('processing', null, interval '1 minute', is_paid),
        ('completed', case when extra > 0 then 'overpaid' end, interval '3 minutes', is_paid),
        ('expired', null, interval '31 minutes', not is_paid)
    ) as step (status, reason, after, is_taken)
    where is_taken order by n, step.after;
    insert into ledger_transfers (cause_id, user_id, source, destination, asset, amount, at)
    select id, case when moved.is_theirs then user_id end, moved.source, moved.destination,
      moved.asset, moved.amount, at
    from made cross join lateral (
      values
        ('stage:stage-1:available', 'stage:stage-1:reserved', 'token', ${TOKENS}, false, true),
        ('stage:stage-1:reserved', 'user:' || user_id, 'token', ${TOKENS}, true, is_paid),
        ('stage:stage-1:reserved', 'stage:stage-1:available', 'token', ${TOKENS}, false, not is_paid),
        ('chain:eth', 'received:eth', 'eth', ${DUE} + extra, false, is_paid),
        ('received:eth', 'refunds:eth', 'eth', extra, false, extra > 0),
        ('refunds:eth', 'paid_out:eth', 'eth', extra, false, extra > 0 and is_paid_back)
    ) as moved (source, destination, asset, amount, is_theirs, is_taken)
    where is_taken order by n;
    insert into outbox_mails (user_id, kind, params, unique_key, created_at, attempts, sent_at)
    select user_id, told.kind, jsonb_build_object('purchase_id', id), told.kind || ':' || id, at, 1, at
    from made cross join lateral (
      values ('purchase_created', true), ('purchase_processing', is_paid),
        ('purchase_completed', is_paid), ('purchase_expired', not is_paid)
    ) as told (kind, is_taken)
    where is_taken order by n;
    insert into receipts (
      id, purchase_id, chain, transaction_hash, output_index, payment_token_id, amount,
      block_height, confirmations, required_confirmations, was_confirmed, booked, seen_at,
      settled_amount, settled_confirmations
    )
    select receipt_id, id, 'sandbox', 'sandbox-' || receipt_id, 0, 'eth', ${DUE} + extra, n, 2, 2,
      true, ${DUE} + extra, at + interval '1 minute', ${DUE} + extra, 2
    from made where is_paid;
    insert into refunds_due (receipt_id, purchase_id, amount, why, since)
    select receipt_id, id, extra, 'overpaid', at from made where extra > 0 and not is_paid_back;
    insert into refund_payments (
      receipt_id, purchase_id, amount, why, owed_since, chain, transaction_hash, place, paid_at
    )
    select receipt_id, id, extra, 'overpaid', at, 'sandbox', 'sandbox-back-' || receipt_id, 0, now()
    from made where extra > 0 and is_paid_back;
    insert into first_purchases (user_id, purchase_id)
    select user_id, id from made where n = pg_temp.user_of(n)`
}

function remainder(users: number, pricePoints: number): string {
  return `
    create temporary table earned on commit drop as
    select n, pg_temp.id_of('reward', n) as id, pg_temp.id_of('user', n) as referee_id,
      pg_temp.id_of('user', n - 1) as referrer_id
    from generate_series(12, ${users}::bigint, 12) as n;
    insert into rewards (
      id, referee_id, referrer_id, stage_id, token_price, usd, spend_usd, tokens, status,
      created_at, completed_at
    )
    select id, referee_id, referrer_id, 'stage-1', 100000000, 1000000, ${USD}, ${REWARD},
      'completed', pg_temp.at(n), pg_temp.at(n)
    from earned;
    insert into ledger_transfers (cause_id, user_id, source, destination, asset, amount, at)
    select id, referrer_id, 'sale:supply', 'user:' || referrer_id, 'token', ${REWARD}, pg_temp.at(n)
    from earned;
    update stage_counters set sold = moved.sold, token_price =
      stages.token_price + div((final_token_price - stages.token_price) * moved.sold, supply)
    from stages, (
      select coalesce(sum(amount), 0) as sold from ledger_transfers
      where source = 'stage:stage-1:reserved' and destination like 'user:%'
    ) as moved
    where stage_id = 'stage-1' and stages.id = stage_id;
    -- What the triggers would have counted, which are asleep here.
    insert into purchase_sums (day, payment_token_id, status, count, credited_usd)
    select counted_day(created_at, completed_at), payment_token_id, status, count(*),
      sum(credited_usd)
    from purchases group by 1, 2, 3;
    insert into used_parts (kind, id) values ('stage', 'stage-1'), ('payment_token', 'eth');
    insert into refund_sums (paid) select count(*) from refund_payments;
    insert into funnel_days (step, day, count)
    select 'registered', current_date, count(*) from users
    union all select 'bought', current_date, count(*) from first_purchases
    union all select 'paid', current_date, count(distinct user_id)
      from purchases where status = 'completed';
    -- As the guard leaves it, which has looked at each minute of all that.
    insert into checked_through (table_name, row_id)
    select 'ledger_transfers', max(id) from ledger_transfers
    union all select 'purchase_status_history', max(id) from purchase_status_history
    union all select 'outbox_mails', max(id) from outbox_mails
    on conflict (table_name) do update set row_id = excluded.row_id;
    delete from checked_balances;
    insert into checked_balances (account, asset, received, given)
    select account, asset, sum(received), sum(given)
    from (
      select destination as account, asset, amount::numeric as received, 0 as given
      from ledger_transfers where destination not like 'user:%'
      union all
      select source, asset, 0, amount from ledger_transfers where source not like 'user:%'
    ) as movement
    group by account, asset;
    insert into price_points (stage_id, price, at)
    select 'stage-1', 100000000 + n,
      now() - interval '1 hour' - interval '${SPAN_DAYS} days' * (1 - n / ${pricePoints}::float8)
    from generate_series(1, ${pricePoints}::bigint) as n`
}
