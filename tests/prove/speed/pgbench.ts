import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How many purchases the second way leaves by one statement. */
export const PURCHASES_PER_STATEMENT = 64

/** One in ten is its account's first one, as it is with the buyers. */
const FIRST_EACH = 10

/** A purchase as the buyers make it. Colons are written \x3a: pgbench takes them for its own. */
const PURCHASE_COLUMNS = `
  id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id,
  rail, chain, address, payment_id, derivation_index,
  usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
  reserved, locked_bonuses, min_usd, max_usd, required_confirmations,
  terms_date, created_at, expires_at, grace_ends_at, connection_hash, status, held,
  reservation_left, due`
/** As those of the server, which begin alike where they were made at the same time. */
const NEW_ID = "cast(overlay(cast(gen_random_uuid() as text) placing '3f' from 1) as uuid)"
const RESERVED = '118000000000000000000000'
const purchaseValues = (id: string, user: string) => String.raw`
  ${id}, ${user}, ${id}, E'10000000\x3aeth', 'stage-1', 'eth',
  'sandbox', 'sandbox', 'sandbox-eth-' || ${id}, ${id}, null,
  10000000, 100000000, 18, 2500000000000000, 18, 4000000000000000,
  ${RESERVED}, E'{
    "flat"\x3a {"base_bonus"\x3a "100000", "limited_time_bonus"\x3a "50000",
      "limited_time_signup_bonus"\x3a "30000"},
    "spending"\x3a [{"from"\x3a "250000000", "rate"\x3a "20000"},
      {"from"\x3a "1000000000", "rate"\x3a "50000"}, {"from"\x3a "5000000000", "rate"\x3a "80000"},
      {"from"\x3a "10000000000", "rate"\x3a "100000"},
      {"from"\x3a "50000000000", "rate"\x3a "150000"}]
  }', 10000000, 100000000000, 2,
  '2030-01-01', now(), now() + interval '30 minutes', now() + interval '30 minutes',
  sha256(convert_to(cast(${user} as text), 'UTF8')), 'pending', ${RESERVED}, ${RESERVED},
  4000000000000000`
const LEDGER_VALUES = String.raw`E'stage\x3astage-1\x3aavailable', E'stage\x3astage-1\x3areserved', 'token',
  ${RESERVED}, now()`
const mailValues = (id: string, user: string) => String.raw`
  ${user}, 'purchase_created', jsonb_build_object('purchase_id', ${id}),
  E'purchase_created\x3a' || ${id}, now()`
const changeOf = (id: string, user: string) => String.raw`
  jsonb_build_object('kind', 'purchase', 'userId', ${user}, 'transactionId', ${id})`
/** Nobody listens there: pgbench alone would pay for what the server does about it. */
const CHANNEL = 'pgbench'

/**
 * The same rows as a purchase leaves, one database transaction each, in the order that holds the
 * contested counter for the shortest time: the purchase, its history, ledger and mail, the
 * notification, and last the counter with its check.
 */
const ONE_BY_ONE = String.raw`
\set account random(:from, :to)
\set place random(1, ${FIRST_EACH})
begin;
insert into purchases (${PURCHASE_COLUMNS})
select ${purchaseValues('new.id', 'users.id')}
from (select ${NEW_ID} as id) as new, users
where users.email = 'buyer-' || :account || '@example.com'
returning id as purchase, user_id as buyer \gset
\if :place = 1
insert into first_purchases (user_id, purchase_id) values (:buyer, :purchase)
on conflict (user_id) do update set purchase_id = excluded.purchase_id;
\endif
insert into purchase_status_history (purchase_id, status, at)
values (:purchase, 'pending', now());
insert into ledger_transfers (cause_id, source, destination, asset, amount, at)
values (:purchase, ${LEDGER_VALUES});
insert into outbox_mails (user_id, kind, params, unique_key, created_at)
values (${mailValues('cast(:purchase as uuid)', 'cast(:buyer as uuid)')});
select pg_notify('${CHANNEL}', cast(jsonb_build_array(
  ${changeOf('cast(:purchase as uuid)', 'cast(:buyer as uuid)')}) as text));
update stage_counters set reserved = reserved + ${RESERVED}, unpaid = unpaid + ${RESERVED}
where stage_id = 'stage-1' and reserved + sold + ${RESERVED} <= supply;
commit;
`

/** The limit of the machine: the rows of many purchases by one statement that judges nothing. */
const MANY_IN_A_STATEMENT = String.raw`
\set first random(:from, :to - ${PURCHASES_PER_STATEMENT})
with made as (
  insert into purchases (${PURCHASE_COLUMNS})
  select ${purchaseValues('new.id', 'new.user_id')}
  from (
    select ${NEW_ID} as id, users.id as user_id
    from generate_series(:first, :first + ${PURCHASES_PER_STATEMENT - 1}) as number
    join users on users.email = 'buyer-' || number || '@example.com'
  ) as new
  returning id, user_id
), firsts as (
  insert into first_purchases (user_id, purchase_id)
  select user_id, id from made limit ${Math.ceil(PURCHASES_PER_STATEMENT / FIRST_EACH)}
  on conflict (user_id) do update set purchase_id = excluded.purchase_id
), histories as (
  insert into purchase_status_history (purchase_id, status, at) select id, 'pending', now() from made
), transfers as (
  insert into ledger_transfers (cause_id, source, destination, asset, amount, at)
  select id, ${LEDGER_VALUES} from made
), mails as (
  insert into outbox_mails (user_id, kind, params, unique_key, created_at)
  select ${mailValues('id', 'user_id')} from made
), counted as (
  update stage_counters set
    reserved = reserved + ${PURCHASES_PER_STATEMENT} * ${RESERVED},
    unpaid = unpaid + ${PURCHASES_PER_STATEMENT} * ${RESERVED}
  where stage_id = 'stage-1'
)
select count(pg_notify('${CHANNEL}', told.changes)) from (
  select cast(jsonb_agg(${changeOf('id', 'user_id')}) as text) as changes
  from (select *, row_number() over () as place from made) as each group by place / 50
) as told;
`

/** Null if pgbench is not installed. */
export function findPgbench(): string | null {
  const found = spawnSync('pgbench', ['--version'])
  return found.status === 0 ? 'pgbench' : null
}

export type PgbenchTask = {
  way: 'one by one' | 'many in a statement'
  databaseUrl: string
  clients: number
  seconds: number
  /** The numbers of the accounts that buy. */
  accounts: { from: number; to: number }
  folder: string
}

/** Lets pgbench make purchases for some seconds. Returns how many it made in one of them. */
export async function runPgbench(program: string, task: PgbenchTask): Promise<number> {
  const isOneByOne = task.way === 'one by one'
  const file = join(task.folder, 'purchase.sql')
  writeFileSync(file, isOneByOne ? ONE_BY_ONE : MANY_IN_A_STATEMENT)
  const { hostname, port, username, password, pathname } = new URL(task.databaseUrl)
  const child = spawn(
    program,
    [
      '--no-vacuum',
      // Statements that are planned once.
      '--protocol=prepared',
      `--jobs=${Math.min(task.clients, 2)}`,
      `--file=${file}`,
      `--client=${task.clients}`,
      `--time=${task.seconds}`,
      `--define=from=${task.accounts.from}`,
      `--define=to=${task.accounts.to}`,
      `--host=${hostname}`,
      `--port=${port || '5432'}`,
      `--username=${username || 'postgres'}`,
      pathname.slice(1),
    ],
    { env: { ...process.env, PGPASSWORD: password }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const tps = /tps = ([\d.]+) \(without/.exec(output)?.[1]
  // On a machine that is busy enough, many clients end none of theirs in time.
  const isNone = /transactions actually processed: 0\b/.test(output)
  if (code !== 0 || (tps === undefined && !isNone)) throw new Error(`pgbench failed:\n${output}`)
  return Number(tps ?? 0) * (isOneByOne ? 1 : PURCHASES_PER_STATEMENT)
}
