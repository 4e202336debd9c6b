import { setTimeout as delay } from 'node:timers/promises'

import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import { parseDecimal, formatDecimal } from '#domain/money.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { dice } from '#tests/kit/builders/shuffled.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import {
  addressOf,
  asOperator,
  createJsonCalls,
  type JsonCalls,
} from '#tests/prove/inputs/servers/json-calls.ts'
import { startWatchedServer } from '#tests/prove/inputs/servers/watched-server.ts'
import type * as z from 'zod/mini'

const LANES = 16
const USERS_AT_ONCE = 1_000
const DECIMALS = 18
const EXPIRY_MS = 60_000
const SETTLED_WITHIN_MS = 60_000
const MINE_EVERY_MS = 150
/** Of the times that something is mined. */
const REORGANISE_EVERY = 4

/** A purchase with what its payer knows about it: what a witness outside of the server has seen. */
type Played = {
  purchase: Transaction
  paid: Map<string, bigint>
  marks: string[]
  steps: number
}

export type PlayedReport = {
  sequences: number
  events: number
  ended: Map<string, number>
  reorganisations: number
  /** What did not hold, a sentence each. */
  broken: string[]
}

/**
 * Plays `count` sequences through HTTP: somebody buys, pays in parts, too much, late or not at all,
 * while blocks are mined and replaced and operators mark purchases. In the end each is compared
 * with what its payer sent, and all books with each other.
 */
export async function playOverHttp({
  count,
  seed,
  waitsForExpiry,
}: {
  count: number
  seed: number
  /** Whether the last purchase is let expire and some are paid after that, which takes a minute. */
  waitsForExpiry: boolean
}): Promise<PlayedReport> {
  const sale = `purchases: { expire_after_minutes: 1 }\n${SMALL_SALE_FILE.replace('1000\n', '1000000000\n')}`
  const server = await startWatchedServer({ database: 'postgres', sale })
  const open = await openDatabase({ kind: 'postgres', url: server.databaseUrl ?? '' })
  const calls = createJsonCalls(server.port, LANES + 1)
  const roll = dice(seed)
  const report: PlayedReport = {
    sequences: 0,
    events: 0,
    ended: new Map(),
    reorganisations: 0,
    broken: [],
  }
  try {
    const buyers: SeededUser[] = []
    for (let made = 0; made < count; made += USERS_AT_ONCE) {
      buyers.push(...(await manyUsers(open.database, Math.min(USERS_AT_ONCE, count - made))))
    }
    const played: Played[] = []
    const over = new AbortController()
    const mining = (async () => {
      for (let nth = 1; !over.signal.aborted || report.reorganisations === 0; nth += 1) {
        await mine(calls, roll, report, nth)
        await delay(MINE_EVERY_MS)
      }
    })()
    const playAll = async () => {
      await mapWithConcurrency(buyers, LANES, async (buyer, nth) => {
        played.push(await playOne(calls, roll, { buyer, nth }))
      })
      if (waitsForExpiry) await payLate(calls, roll, played)
    }
    // What fails first is reported, and the blocks end before the server does.
    await Promise.all([playAll().finally(() => over.abort()), mining])
    await calls.call('POST', '/sandbox/blocks', { body: { count: 10 } })
    await hold(calls, played, report)
    report.broken.push(...(await listBrokenInvariants(open.database)), ...server.faults)
    const end = server.ended()
    if (end !== null) report.broken.push(`The server ended: ${end}`)
  } finally {
    calls.close()
    await open.close()
    await server.stop()
  }
  return report
}

async function mine(
  calls: JsonCalls,
  roll: (sides: number) => number,
  report: PlayedReport,
  nth: number,
): Promise<void> {
  if (nth % REORGANISE_EVERY === 0) {
    await calls.call('POST', '/sandbox/reorgs', { body: { depth: 1 + roll(3) } })
    report.reorganisations += 1
  } else {
    await calls.call('POST', '/sandbox/blocks', { body: { count: 1 + roll(2) } })
  }
}

/** Thousandths of what is due, among them the edges of every tolerance. */
const PARTS = [1000, 1000, 1000, 300, 500, 700, 994, 995, 1010, 1011, 2500]
const MARKS = ['hold', 'release', 'fail'] as const

async function playOne(
  calls: JsonCalls,
  roll: (sides: number) => number,
  { buyer, nth }: { buyer: SeededUser; nth: number },
): Promise<Played> {
  const as = buyer.as.accessToken
  const body = { purchase_amount: 20 + roll(180), purchase_token_id: 'eth' }
  const from = addressOf(nth)
  const buying = { as, body, key: buyer.id, from }
  const { data } = await calls.call<{ data: Transaction }>('POST', '/transactions', buying)
  const played: Played = { purchase: data, paid: new Map(), marks: [], steps: 1 }
  for (let left = 1 + roll(5); left > 0; left -= 1) {
    played.steps += 1
    const chance = roll(10)
    if (chance < 5) await pay(calls, played, PARTS[roll(PARTS.length)] ?? 1000)
    else if (chance < 6) await mark(calls, played, from, MARKS[roll(MARKS.length)] ?? 'hold')
    else if (chance < 7) {
      const again = await calls.call<{ data: Transaction }>('POST', '/transactions', buying)
      if (again.data.id !== data.id) throw new Error('One key has made two purchases.')
    } else await calls.call('GET', `/transactions/${data.id}`, { as })
  }
  return played
}

async function pay(calls: JsonCalls, { purchase, paid }: Played, part: number): Promise<void> {
  const due = parseDecimal(purchase.payment_amount ?? '0', DECIMALS) ?? 0n
  const amount = (due * BigInt(part)) / 1000n
  const { receipt_id: id } = await calls.call<{ receipt_id: string }>('POST', '/sandbox/payments', {
    body: { address: purchase.payment_address, amount: formatDecimal(amount, DECIMALS) },
  })
  paid.set(id, amount)
}

async function mark(
  calls: JsonCalls,
  played: Played,
  from: string,
  kind: (typeof MARKS)[number],
): Promise<void> {
  const last = played.marks.at(-1)
  if (kind === 'release' && (last === undefined || last === 'release')) return
  const path = `/operator/purchases/${played.purchase.id}/${kind}`
  await calls.call('POST', path, {
    ...asOperator,
    from,
    body: { reason: 'By chance' },
  })
  played.marks.push(kind)
}

/** After the last one has expired, some pay all the same. */
async function payLate(
  calls: JsonCalls,
  roll: (sides: number) => number,
  played: readonly Played[],
): Promise<void> {
  const last = Math.max(...played.map(({ purchase }) => Date.parse(purchase.created_date)))
  await delay(Math.max(0, last + EXPIRY_MS + 1_500 - Date.now()))
  for (const one of played) if (roll(10) === 0) await pay(calls, one, 1000)
}

/** Compares every purchase with what was paid for it, once everything is settled. */
async function hold(
  calls: JsonCalls,
  played: readonly Played[],
  report: PlayedReport,
): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS
  let nth = 0
  for (const one of played) {
    nth += 1
    const read = () =>
      calls.call<z.output<typeof PurchaseRecord>>('GET', `/operator/purchases/${one.purchase.id}`, {
        ...asOperator,
        from: addressOf(nth),
      })
    let record = await read()
    while (faultOf(one, record) !== null && Date.now() < until) {
      await delay(500)
      record = await read()
    }
    const fault = faultOf(one, record)
    if (fault !== null) report.broken.push(`${one.purchase.id}: ${fault}`)
    report.sequences += 1
    report.events += one.steps
    const end = `${record.status}${record.status_reason ? ` (${record.status_reason})` : ''}`
    report.ended.set(end, (report.ended.get(end) ?? 0) + 1)
  }
}

/** How a purchase differs from what its payer and the operator know; null if it does not. */
function faultOf({ paid, marks }: Played, record: z.output<typeof PurchaseRecord>): string | null {
  const units = (text: string) => parseDecimal(text, DECIMALS) ?? -1n
  const sum = (amounts: readonly bigint[]) => amounts.reduce((one, other) => one + other, 0n)
  const known = new Map(record.receipts.map(({ id, amount }) => [id, units(amount)]))
  if (known.size !== paid.size) return `${known.size} receipts of ${paid.size} payments`
  for (const [id, amount] of paid) if (known.get(id) !== amount) return `receipt ${id} is another`
  const alive = record.receipts.filter(({ state }) => state !== 'gone')
  if (alive.some(({ state }) => state === 'seen')) return 'a receipt is not confirmed'
  const came = sum(alive.map(({ amount }) => units(amount)))
  const owed = sum(record.refunds.map(({ amount }) => units(amount)))
  const { status } = record
  const last = marks.at(-1)
  if (new Date(record.expires_date) > new Date() && ['pending', 'processing'].includes(status)) {
    return owed === 0n && units(record.credited_amount) === 0n ? null : `${status} and credited`
  }
  // Where no money came there is nothing to hold.
  const isHeld = last === 'hold' && came > 0n
  if (isHeld) return status === 'processing' && owed === 0n ? null : `held, and ${status}`
  if (units(record.credited_amount) + owed !== came) {
    return `${came} came, ${record.credited_amount} credited and ${owed} owed back`
  }
  if (last === 'fail') return status === 'failed' ? null : `failed by an operator, and ${status}`
  if (came === 0n) return status === 'expired' ? null : `nothing came, and ${status}`
  return ['completed', 'failed', 'expired'].includes(status) ? null : `money came, and ${status}`
}
