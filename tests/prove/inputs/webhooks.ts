import { isDeepStrictEqual } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import type * as z from 'zod/mini'

import { API_BASE } from '#contract/endpoint.ts'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { type OpenDatabase, openDatabase } from '#server/database/connection/open-database.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { dice, shuffled } from '#tests/kit/builders/shuffled.ts'
import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import { startGatewayServer } from './servers/gateway-sale.ts'
import { addressOf, asOperator, createJsonCalls, type JsonCalls } from './servers/json-calls.ts'
import { forge, rewrite } from './webhooks/forgeries.ts'
import {
  type Delivery,
  EVENTS,
  notifyByBtcpay,
  notifyByNowpayments,
  type NotifiedPayment,
} from './webhooks/notified-payments.ts'

const LANES = 12
const SETTLED_WITHIN_MS = 300_000
const REPEATS_OF_ONE = 1_000

const gateways = [
  { name: 'nowpayments', token: 'btc', payments: 3, begin: notifyByNowpayments },
  { name: 'btcpay', token: 'btc-own', payments: 2, begin: notifyByBtcpay },
] as const

type Gateway = (typeof gateways)[number]
type Stored = z.output<typeof PurchaseRecord>
type Case = {
  gateway: Gateway
  order: readonly number[]
  purchase: Transaction
  payment: NotifiedPayment
}

/** Webhooks in every order and repeated, and what others send in a gateway’s name. */
export const webhooks: Proof = {
  name: 'webhooks',
  title: 'Webhooks in every order, repeated and forged',
  kind: 'inputs',
  async run(scope) {
    const server = await startGatewayServer()
    const open = await openDatabase({ kind: 'postgres', url: server.databaseUrl ?? '' })
    const calls = createJsonCalls(server.port, LANES)
    try {
      const cases = await buyForEveryOrder(scope, { server, open, calls })
      const forged = await tryForgeries(scope, calls, open, cases)
      const delivered = await deliverAll(scope, calls, cases)
      const ends = await awaitEnds(calls, cases)
      scope.say(`  one after the other it ends as ${JSON.stringify(ends[0]?.end)}`)
      const broken = await listBrokenInvariants(open.database)
      return [
        ...findingsOf(ends, delivered),
        ...forged,
        invariantsHold([...broken, ...server.faults]),
      ]
    } finally {
      calls.close()
      await open.close()
      await server.stop()
    }
  },
}

type Means = {
  server: Awaited<ReturnType<typeof startGatewayServer>>
  open: OpenDatabase
  calls: JsonCalls
}

/** One purchase for each order of the events at each gateway, the right order first. */
async function buyForEveryOrder(
  scope: ProofScope,
  { server, open, calls }: Means,
): Promise<Case[]> {
  const right = Array.from({ length: EVENTS }, (_, nth) => nth)
  const all = permutations(right)
  const count = bySize(scope, { short: 12, whole: all.length, long: all.length })
  const sample = all.slice(1)
  const roll = dice(scope.seed)
  const orders = [right]
  while (orders.length < count) orders.push(...sample.splice(roll(sample.length), 1))
  const wanted = orders.flatMap((order) => gateways.map((gateway) => ({ gateway, order })))
  const users = await manyUsers(open.database, wanted.length)
  return await mapWithConcurrency(wanted, LANES, async ({ gateway, order }, nth) => {
    const { data: purchase } = await calls.call<{ data: Transaction }>('POST', '/transactions', {
      as: users[nth]?.as.accessToken ?? '',
      from: addressOf(nth),
      body: { purchase_amount: 100, purchase_token_id: gateway.token },
    })
    return { gateway, order, purchase, payment: gateway.begin(server, purchase) }
  })
}

/** While nothing has been paid: whatever comes now comes from nobody who may. */
async function tryForgeries(
  scope: ProofScope,
  calls: JsonCalls,
  open: OpenDatabase,
  cases: readonly Case[],
): Promise<Finding[]> {
  const count = bySize(scope, { short: 400, whole: 10_000, long: 100_000 })
  const roll = dice(scope.seed)
  const before = await eventsIn(open)
  const tries = Array.from({ length: count }, (_, nth) => nth)
  const statuses = await mapWithConcurrency(tries, LANES, async (nth) => {
    const one = cases[nth % cases.length]
    if (one === undefined) throw new Error('There is nothing to forge.')
    const right = one.payment.deliver(roll(EVENTS), 0)
    return (await post(calls, one.gateway, forge(right, one.gateway.name, roll), nth)).status
  })
  const after = await eventsIn(open)
  const taken = statuses.filter((status) => status !== 401).length
  const first = cases[0]
  if (first === undefined) throw new Error('There is nothing to repeat.')
  const right = first.payment.deliver(0, 0)
  await post(calls, first.gateway, right, count)
  const known = await eventsIn(open)
  const repeats = bySize(scope, { short: 50, whole: REPEATS_OF_ONE, long: REPEATS_OF_ONE })
  const replies = await mapWithConcurrency(
    Array.from({ length: repeats }),
    LANES,
    async (_, nth) => {
      // The first gateway signs the content, and not its serialisation.
      const { body } = await post(calls, first.gateway, rewrite(right, nth), count + nth)
      return (JSON.parse(body) as { outcome: string }).outcome
    },
  )
  const accepted = replies.filter((outcome) => outcome !== 'repeated').length
  const counted = (value: number) => value.toLocaleString('en')
  return [
    {
      promise: 'A forged webhook has no effect',
      seen: `${taken} taken and ${after - before} recorded of ${counted(count)}, in 13 ways of forging`,
      bar: '0',
      assessment: neverMoreThan(0, taken + after - before),
    },
    {
      promise: 'A webhook that is replayed has no effect',
      seen: `${accepted} taken and ${(await eventsIn(open)) - known} recorded of ${counted(repeats)}`,
      bar: '0',
      assessment: neverMoreThan(0, accepted + (await eventsIn(open)) - known),
    },
  ]
}

async function eventsIn({ database }: OpenDatabase): Promise<number> {
  return (await database.selectFrom('gateway_events').select('event_id').execute()).length
}

function post(calls: JsonCalls, gateway: Gateway, { body, headers }: Delivery, nth: number) {
  return calls.wire.send({
    method: 'POST',
    path: `${API_BASE}/webhooks/${gateway.name}`,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `11.${(nth >> 8) & 255}.${nth & 255}.7`,
      ...headers,
    },
    body: Buffer.from(body, 'latin1'),
  })
}

/**
 * The gateway's API shows one event more with each delivery, while the deliveries themselves
 * come in the order of their purchase: some before their time, some long after it, some again.
 */
async function deliverAll(
  scope: ProofScope,
  calls: JsonCalls,
  cases: readonly Case[],
): Promise<number> {
  const counts = await mapWithConcurrency(
    cases,
    LANES,
    async ({ gateway, order, payment }, nth) => {
      const again = order.flatMap((event, at) => (at % 2 === 0 ? [event, event] : [event]))
      const late = shuffled(order, scope.seed + nth).slice(0, 3)
      const times = new Map<number, number>()
      let happened = 0
      for (const event of [...again, ...late]) {
        happened = Math.min(EVENTS, happened + 1)
        payment.happen(happened)
        const time = times.get(event) ?? 0
        times.set(event, time + 1)
        const reply = await post(calls, gateway, payment.deliver(event, time), nth)
        if (reply.status !== 200) throw new Error(`A webhook was refused: ${reply.body}`)
      }
      payment.happen(EVENTS)
      return again.length + late.length
    },
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

type Ended = { gateway: Gateway; order: readonly number[]; end: object; isSame: boolean }

/** Waits until each purchase stands as the first of its gateway does, which had the right order. */
async function awaitEnds(calls: JsonCalls, cases: readonly Case[]): Promise<Ended[]> {
  const until = Date.now() + SETTLED_WITHIN_MS
  let nth = 0
  const read = async ({ purchase }: Case) => {
    nth += 1
    const options = { ...asOperator, from: addressOf(nth) }
    return endOf(await calls.call<Stored>('GET', `/operator/purchases/${purchase.id}`, options))
  }
  const rightEnds = new Map<Gateway, object>()
  for (const gateway of gateways) {
    const first = cases.find((one) => one.gateway === gateway)
    if (first === undefined) continue
    let end = await read(first)
    // A receipt is stored before it is settled: only the credited amount shows that everything was.
    const isWhole = () =>
      end.status === 'completed' &&
      end.receipts.length === gateway.payments &&
      end.receipts.every((receipt) => receipt.endsWith(' confirmed')) &&
      unitsOf(end.amount) === sumOf(end.receipts.map(unitsOf))
    while (!isWhole() && Date.now() < until) {
      await delay(500)
      end = await read(first)
    }
    rightEnds.set(gateway, end)
  }
  return await mapWithConcurrency(cases, LANES, async (one) => {
    let end = await read(one)
    const right = rightEnds.get(one.gateway)
    while (!isDeepStrictEqual(end, right) && Date.now() < until) {
      await delay(1_000)
      end = await read(one)
    }
    const { gateway, order } = one
    return { gateway, order, end, isSame: isDeepStrictEqual(end, right) }
  })
}

/** Base units of what begins with a decimal number of eight places. */
function unitsOf(text: string | null): number {
  return Math.round(Number.parseFloat(text ?? '0') * 1e8)
}

function sumOf(units: readonly number[]): number {
  return units.reduce((sum, one) => sum + one, 0)
}

/** Where a purchase stands, without ids and times. */
function endOf(record: Stored) {
  const balances = new Map<string, number>()
  const move = (account: string, asset: string, amount: number) => {
    const key = `${account.replaceAll(/[0-9a-f-]{36}/g, 'somebody')} ${asset}`
    balances.set(key, (balances.get(key) ?? 0) + amount)
  }
  for (const { source, destination, asset, amount } of record.ledger) {
    const units = unitsOf(amount)
    move(source, asset, -units)
    move(destination, asset, units)
  }
  return {
    status: record.status,
    reason: record.status_reason,
    usd: record.credited_usd,
    amount: record.credited_amount,
    tokens: record.credited_tokens,
    held: record.held_tokens,
    due: record.due_amount,
    receipts: record.receipts.map(({ state, amount }) => `${amount} ${state}`).toSorted(),
    refunds: record.refunds.map(({ amount, reason }) => `${amount} ${reason}`).toSorted(),
    ledger: [...balances].filter(([, units]) => units !== 0).toSorted(),
  }
}

function findingsOf(ends: readonly Ended[], delivered: number): Finding[] {
  return gateways.map(({ name }) => {
    const own = ends.filter(({ gateway }) => gateway.name === name)
    const others = own.filter(({ isSame }) => !isSame)
    const example = others[0]
      ? `; ${others[0].order.join(' ')}: ${JSON.stringify(others[0].end)}`
      : ''
    return {
      promise: `Six events of ${name} end the same in whatever order they are notified`,
      seen:
        `${others.length} of ${own.length} orders end otherwise, of 720 that there are; ` +
        `${delivered.toLocaleString('en')} webhooks of both gateways${example}`,
      bar: '0',
      assessment: neverMoreThan(0, others.length),
    }
  })
}

function invariantsHold(broken: readonly string[]): Finding {
  return {
    promise: 'All books agree afterwards, and nothing was logged as a fault',
    seen: `${broken.length} broken${broken[0] ? `: ${broken[0].slice(0, 300)}` : ''}`,
    bar: '0',
    assessment: neverMoreThan(0, broken.length),
  }
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  )
}
