import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The same rows as a purchase leaves, one database transaction each, in the order that holds the
 * contested counter for the shortest time: the purchase, its history, ledger and mail, and last the
 * counter with its check. Colons are written \x3a, because pgbench takes them for its variables.
 */
const script = String.raw`
\set account random(:from, :to)
begin;
insert into purchases (
  id, user_id, idempotency_key, request_fingerprint, stage_id, payment_token_id,
  rail, chain, address, payment_id, derivation_index,
  usd, token_price, token_decimals, crypto_price, crypto_decimals, crypto_due,
  reserved, locked_bonuses, min_usd, max_usd, required_confirmations,
  terms_date, created_at, expires_at, status, held, reservation_left, due
)
select
  new.id, users.id, new.id, E'100000000\x3aeth', 'stage-1', 'eth',
  'sandbox', 'sandbox', 'sandbox-eth-' || new.id, new.id, null,
  100000000, 100000000, 18, 2500000000000000, 18, 40000000000000000,
  1250000000000000000000000, E'{
    "flat"\x3a {"base_bonus"\x3a "100000", "limited_time_bonus"\x3a "50000",
      "limited_time_signup_bonus"\x3a "30000", "first_purchase_bonus"\x3a "50000"},
    "spending"\x3a [{"from"\x3a "250000000", "rate"\x3a "20000"},
      {"from"\x3a "1000000000", "rate"\x3a "50000"}, {"from"\x3a "5000000000", "rate"\x3a "80000"},
      {"from"\x3a "10000000000", "rate"\x3a "100000"},
      {"from"\x3a "50000000000", "rate"\x3a "150000"}]
  }', 10000000, 100000000000, 2,
  '2030-01-01', now(), now() + interval '30 minutes', 'pending', 1250000000000000000000000,
  1250000000000000000000000, 40000000000000000
from (select gen_random_uuid() as id) as new, users
where users.email = 'buyer-' || :account || '@example.com'
returning id as purchase, user_id as buyer \gset
insert into purchase_status_history (purchase_id, status, at)
values (:purchase, 'pending', now());
insert into ledger_transfers (cause_id, source, destination, asset, amount, at)
values (:purchase, E'stage\x3astage-1\x3aavailable', E'stage\x3astage-1\x3areserved', 'token',
  1250000000000000000000000, now());
insert into outbox_mails (user_id, kind, params, unique_key, created_at, dropped_at)
values (:buyer, 'purchase_created', jsonb_build_object('purchase_id', cast(:purchase as uuid)),
  E'purchase_created\x3a' || cast(:purchase as uuid), now(), now());
update stage_counters set reserved = reserved + 1250000000000000000000000,
  unpaid = unpaid + 1250000000000000000000000
where stage_id = 'stage-1' and reserved + sold + 1250000000000000000000000 <= supply;
commit;
`

/** Null where pgbench is not installed. */
export function findPgbench(): string | null {
  const found = spawnSync('pgbench', ['--version'])
  return found.status === 0 ? 'pgbench' : null
}

export type PgbenchReport = { purchasesPerSecond: number; meanMs: number }

/** Lets pgbench make purchases for some seconds, with statements that are prepared once. */
export async function runPgbench(
  program: string,
  task: {
    databaseUrl: string
    clients: number
    seconds: number
    /** The numbers of the accounts that buy. */
    accounts: { from: number; to: number }
    folder: string
  },
): Promise<PgbenchReport> {
  const file = join(task.folder, 'purchase.sql')
  writeFileSync(file, script)
  const { hostname, port, username, password, pathname } = new URL(task.databaseUrl)
  const child = spawn(
    program,
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--jobs=2',
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
  const mean = /latency average = ([\d.]+) ms/.exec(output)?.[1]
  if (code !== 0 || tps === undefined || mean === undefined) {
    throw new Error(`pgbench failed:\n${output}`)
  }
  return { purchasesPerSecond: Number(tps), meanMs: Number(mean) }
}
