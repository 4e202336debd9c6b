import { sql } from 'kysely'

import type { Transaction } from '#contract/shapes.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import type { Database } from '#server/database/tables/tables.ts'
import { dice } from '#tests/kit/builders/shuffled.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import { pause } from './buyers.ts'
import type { Answer } from './caller.ts'
import { firstOf } from './findings.ts'
import { addressOf, type Ground, prepareGround } from './ground.ts'

const INSTANCES = 3
const BUYERS = 1_000
const SQUATTERS = 200
/** Those who reserve without paying share this few networks. */
const SQUATTERS_NETWORKS = 4
const SUPPLY_TOKENS = 60_000
const DOLLARS_A_TOKEN = 0.5
const LEAST_USD = 10
const MOST_USD = 60
const UNIT = 10n ** 6n
const TRIES_MAX = 300
const TRY_AGAIN_MS = 100

/** More is wanted than there is. What one account and one network may have unpaid is bounded. */
const SALE_FILE =
  'purchases: { expire_after_minutes: 60, open_per_user: 10, open_worth_per_user: 100, ' +
  'open_worth_per_connection: 1000, unpaid_share: 100 }\n' +
  SMALL_SALE_FILE.replace('1000\n', `${SUPPLY_TOKENS}\n`)

type Refused = { usd: number; at: Date }
type Round = {
  acknowledged: Map<string, string>
  refused: Refused[]
  wrong: string[]
}

export const lastTokens: Proof = {
  name: 'last-tokens',
  title: `${BUYERS} buyers of the last tokens, at ${INSTANCES} instances on PostgreSQL`,
  kind: 'faults',
  run: proveLastTokens,
}

async function proveLastTokens(scope: ProofScope): Promise<Finding[]> {
  const rounds = bySize(scope, { short: 1, whole: 100, long: 500 })
  const ground = await prepareGround({
    database: 'postgres',
    users: BUYERS + SQUATTERS,
    settings: unsafeButFast,
    saleFile: SALE_FILE,
  })
  try {
    // Their mails stay in the sandbox: this is about who gets the tokens.
    const servers = await Promise.all(
      Array.from({ length: INSTANCES }, () => ground.start({ SMTP_URL: '' })),
    )
    await Promise.all(servers.map((server) => server.opened))
    const addresses = servers.map(({ address }) => address)
    const open = await ground.open()
    try {
      const site = { scope, ground, addresses, database: open.database }
      return [...(await proveRounds(site, rounds)), ...(await proveSquatters(site))]
    } finally {
      await open.close()
    }
  } finally {
    await ground.close()
  }
}

type Site = {
  scope: ProofScope
  ground: Ground
  addresses: readonly string[]
  database: Database
}

async function proveRounds(site: Site, rounds: number): Promise<Finding[]> {
  const { scope, database } = site
  const found = { oversold: [] as string[], tooEarly: [] as string[], wrong: [] as string[] }
  const totals = { bought: 0, refused: 0, left: 0 }
  const startAgain = await rememberStart(database)
  for (let round = 1; round <= rounds; round += 1) {
    const seed = scope.seed + round
    const { acknowledged, refused, wrong } = await buyAll(site, seed)
    const here = `round ${round} (seed ${scope.seed})`
    found.wrong.push(...wrong.map((each) => `${here}: ${each}`))
    const booked = await readBookings(database)
    const { supply, reserved, sold } = await readCounter(database)
    const left = supply - reserved - sold
    const sum = booked.reduce((total, { tokens }) => total + tokens, 0n)
    const broken = await listBrokenInvariants(database)
    if (left < 0n || sum !== reserved + sold) found.oversold.push(`${here}: ${-left} too many`)
    found.oversold.push(...broken.map((fault) => `${here}: ${fault}`))
    const missing = [...acknowledged].filter(
      ([key, id]) => !booked.some((b) => b.key === key && b.id === id),
    )
    if (missing.length > 0) found.wrong.push(`${here}: ${missing.length} acknowledged and lost`)
    if (booked.length !== acknowledged.size) found.wrong.push(`${here}: ${booked.length} booked`)
    if (left >= tokensFor(LEAST_USD)) found.tooEarly.push(`${here}: ${left} units were left`)
    for (const { usd, at } of refused) {
      const before = booked.filter(({ createdAt }) => createdAt <= at)
      const leftThen = supply - before.reduce((total, { tokens }) => total + tokens, 0n)
      if (leftThen >= tokensFor(usd)) found.tooEarly.push(`${here}: $${usd} would have fitted`)
    }
    totals.bought += booked.length
    totals.refused += refused.length
    totals.left += Number(left)
    if (round % 20 === 0) scope.say(`  ${round} rounds, ${totals.bought} purchases`)
    await startAgain()
  }
  const first = (list: readonly string[]) => (list.length === 0 ? '' : `: ${list[0]}`)
  return [
    {
      promise: 'Nothing is oversold, and the books agree after each round',
      seen: `${found.oversold.length} faults in ${rounds} rounds, ${totals.bought} purchases${first(found.oversold)}`,
      bar: '0 faults',
      assessment: neverMoreThan(0, found.oversold.length),
    },
    {
      promise: 'Nobody is refused while tokens are left, and all are sold',
      seen:
        `${found.tooEarly.length} of ${totals.refused} refused too early; ` +
        `${(totals.left / rounds / Number(UNIT)).toFixed(1)} of ${SUPPLY_TOKENS} tokens left at the ` +
        `end of a round${first(found.tooEarly)}`,
      bar: '0 too early, some refused, less left than the least purchase',
      assessment: totals.refused > 0 ? neverMoreThan(0, found.tooEarly.length) : 'failed',
    },
    {
      promise: 'Every acknowledged purchase is booked, and no other; no other answer is given',
      seen: `${found.wrong.length} wrong of ${totals.bought}${first(found.wrong)}`,
      bar: '0 wrong',
      assessment: neverMoreThan(0, found.wrong.length),
    },
  ]
}

/** Everybody at once: what they want, or else the least that can be bought. */
async function buyAll({ ground, addresses }: Site, seed: number): Promise<Round> {
  const roll = dice(seed)
  const round: Round = { acknowledged: new Map(), refused: [], wrong: [] }
  const amounts = Array.from({ length: BUYERS }, () => LEAST_USD + roll(MOST_USD - LEAST_USD + 1))
  await Promise.all(
    amounts.map(async (amount, index) => {
      for (const usd of amount === LEAST_USD ? [amount] : [amount, LEAST_USD]) {
        const key = `${seed}-${index}-${usd}`
        const answer = await buy({ ground, addresses }, { index, usd, key })
        if (answer.status === 201) {
          round.acknowledged.set(key, answer.body.data.id)
          return
        }
        if (answer.body.reason !== 'NoTokensLeft') {
          round.wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`)
          return
        }
        round.refused.push({ usd, at: new Date() })
      }
    }),
  )
  return round
}

type Bought = { data: Transaction; reason?: string }

/** Tries again where the server asks for that. */
async function buy(
  { ground, addresses }: Pick<Site, 'ground' | 'addresses'>,
  { index, usd, key, from }: { index: number; usd: number; key: string; from?: string },
): Promise<Answer<Bought>> {
  const address = addresses[index % addresses.length] ?? ''
  for (let tries = 1; ; tries += 1) {
    const answer = await ground.caller.call<Bought>(address, 'POST', '/transactions', {
      accessToken: ground.users[index]?.as.accessToken ?? '',
      key,
      from: from ?? addressOf(index),
      body: { purchase_amount: usd, purchase_token_id: 'eth' },
    })
    if (answer.status !== 503 || tries === TRIES_MAX) return answer
    await pause(TRY_AGAIN_MS)
  }
}

/** Accounts on a few networks reserve whatever they may, without a pause and without paying. */
async function proveSquatters(site: Site): Promise<Finding[]> {
  const { ground, addresses, database, scope } = site
  const honest = bySize(scope, { short: 100, whole: 500, long: 500 })
  const state = { isOver: false, tries: 0, reserved: 0, refused: new Map<string, number>() }
  const squat = async (nth: number) => {
    const network = nth % SQUATTERS_NETWORKS
    const from = `203.0.${network}.${1 + Math.floor(nth / SQUATTERS_NETWORKS)}`
    for (let count = 1; !state.isOver; count += 1) {
      const key = `squatter-${scope.seed}-${nth}-${count}`
      const answer = await buy(site, { index: BUYERS + nth, usd: LEAST_USD, key, from })
      state.tries += 1
      if (answer.status === 201) state.reserved += 1
      else {
        const reason = answer.body.reason ?? String(answer.status)
        state.refused.set(reason, (state.refused.get(reason) ?? 0) + 1)
        await pause(TRY_AGAIN_MS)
      }
    }
  }
  const squatting = Promise.all(Array.from({ length: SQUATTERS }, (_, nth) => squat(nth)))
  while (state.refused.size === 0) await pause(TRY_AGAIN_MS)
  const unserved: string[] = []
  await Promise.all(
    Array.from({ length: honest }, async (_, index) => {
      const key = `honest-${scope.seed}-${index}`
      const answer = await buy(site, { index, usd: 30, key })
      if (answer.status !== 201) {
        unserved.push(`${answer.status} ${answer.body.reason}`)
        return
      }
      const { payment_address: address, payment_amount: amount } = answer.body.data
      const paid = await ground.caller.call(addresses[0] ?? '', 'POST', '/sandbox/payments', {
        body: { address, amount },
      })
      if (paid.status !== 201) unserved.push(`a payment: ${paid.status}`)
    }),
  )
  state.isOver = true
  await squatting
  const broken = await listBrokenInvariants(database)
  const held = state.reserved * LEAST_USD
  const most = SQUATTERS_NETWORKS * 1_000
  const reasons = [...state.refused].map(([reason, count]) => `${count} ${reason}`).join(', ')
  return [
    {
      promise: 'Beside a flood of squatters everybody honest buys and pays',
      seen:
        `${unserved.length} of ${honest} not served; ${SQUATTERS} squatters of ${SQUATTERS_NETWORKS} ` +
        `networks tried ${state.tries} times and hold $${held} (refused: ${reasons}); ` +
        `${broken.length} breaches${firstOf(scope, unserved)}`,
      bar: `0 not served; squatters were refused and hold at most $${most}`,
      assessment:
        unserved.length + broken.length === 0 && held <= most && state.refused.size > 0
          ? 'held'
          : 'failed',
    },
  ]
}

const tokensFor = (usd: number) => BigInt(Math.floor(usd / DOLLARS_A_TOKEN)) * UNIT

async function readBookings(database: Database) {
  const rows = await database
    .selectFrom('purchases')
    .select(['id', 'idempotency_key as key', 'reserved as tokens', 'created_at as createdAt'])
    .execute()
  return rows.map((row) => ({ ...row, tokens: BigInt(row.tokens) }))
}

async function readCounter(database: Database) {
  return await database
    .selectFrom('stage_counters')
    .select(['supply', 'reserved', 'sold'])
    .orderBy('stage_id')
    .limit(1)
    .executeTakeFirstOrThrow()
}

const FILLED_BY_PURCHASES = [
  'purchases',
  'purchase_status_history',
  'outbox_mails',
  'ledger_transfers',
  'first_purchases',
]

/**
 * Returns the function that undoes everything that was bought, so that each round begins like the
 * first.
 */
async function rememberStart(database: Database): Promise<() => Promise<void>> {
  await sql`create table start_of_ledger as select * from ledger_transfers`.execute(database)
  await sql`create table start_of_counters as select * from stage_counters`.execute(database)
  return async () => {
    await database.transaction().execute(async (transaction) => {
      // The triggers that keep the ledger append-only are disabled meanwhile.
      await sql`set local session_replication_role = replica`.execute(transaction)
      await sql`lock table stage_counters in access exclusive mode`.execute(transaction)
      await sql`truncate ${sql.join(FILLED_BY_PURCHASES.map((name) => sql.table(name)))} cascade`.execute(
        transaction,
      )
      await sql`insert into ledger_transfers overriding system value select * from start_of_ledger`.execute(
        transaction,
      )
      await sql`delete from stage_counters`.execute(transaction)
      await sql`insert into stage_counters select * from start_of_counters`.execute(transaction)
    })
  }
}
