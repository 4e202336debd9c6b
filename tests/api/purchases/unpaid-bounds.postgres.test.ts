import { afterEach, expect, it } from 'vitest'
import type { Sale } from '#domain/sale/sale.ts'
import { expectInvariants, mine, pay, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { NO_BONUSES } from '#tests/kit/builders/small-stages.ts'
import { someInstances } from '#tests/kit/servers/start-app.ts'

/**
 * The opening of the shipped sale on several instances at once: a stage of $80 million in which one
 * purchase is $100,000 at most. Only a real PostgreSQL can lose a race for what may be unpaid.
 */
const INSTANCES = 3
const STAGE_USD = 80_000_000
const LARGEST = 100_000

const { oneOf } = someInstances(INSTANCES, { changeSale: withoutBonuses })
afterEach(() => expectInvariants(oneOf(0)))

/** A dollar reserves the same number of tokens for every buyer, so that sums can be compared. */
function withoutBonuses(sale: Sale): Sale {
  return { ...sale, stages: sale.stages.map((stage) => ({ ...stage, bonuses: NO_BONUSES })) }
}

type Order = { buyer: SeededUser; usd: number; from: string }

/** All orders at once, spread over the instances. */
async function placeAll(orders: readonly Order[]) {
  return await Promise.all(
    orders.map(async (order, n) => ({
      ...order,
      reply: await tryToBuy(oneOf(n), order.buyer, order),
    })),
  )
}

type Placed = Awaited<ReturnType<typeof placeAll>>

const made = (placed: Placed) => placed.filter(({ reply }) => reply.status === 201)
const usdOf = (placed: Placed) => made(placed).reduce((sum, { usd }) => sum + usd, 0)
const reasons = (placed: Placed) =>
  new Set(placed.flatMap(({ reply }) => (reply.status === 201 ? [] : reply.refusal.reason)))

const people = (count: number) => manyUsers(oneOf(0).open.database, count)

/** Ten orders of the largest amount for each of these accounts. */
function squats(accounts: readonly SeededUser[], networkOf: (account: number) => string): Order[] {
  return Array.from({ length: accounts.length * 10 }, (_, n) => {
    const buyer = accounts[n % accounts.length]
    if (buyer === undefined) throw new Error('There are no accounts.')
    return { buyer, usd: LARGEST, from: networkOf(n % accounts.length) }
  })
}

it('58 accounts of one network reserve a million and not the stage', async () => {
  const placed = await placeAll(squats(await people(58), (n) => `198.51.100.${n}`))
  expect(usdOf(placed)).toBe(10 * LARGEST)
  expect(reasons(placed)).toEqual(new Set(['UserWorthReached', 'ConnectionWorthReached']))
  const [neighbour] = await people(1)
  if (neighbour === undefined) throw new Error('There is no neighbour.')
  const reply = await tryToBuy(oneOf(0), neighbour, { usd: LARGEST, from: '198.51.101.1' })
  expect(reply.status, 'another network is not concerned').toBe(201)
})

it('at an opening with 500 buyers squatters are refused and everybody honest is served', async () => {
  const buyers = await people(500)
  const squatters = buyers.slice(0, 60)
  const squatted = squats(squatters, (n) => `203.0.${n % 3}.${n}`)
  const honest = buyers.slice(60).map((buyer, n) => ({
    buyer,
    usd: 50 + (n % 60) * 100,
    // Several of them at each connection: offices, households, the exits of mobile networks.
    from: n % 2 === 0 ? `192.0.${n % 100}.${n % 250}` : `2001:db8:0:${n % 100}::${n}`,
  }))
  const orders = Array.from({ length: 600 }, (_, n) => [honest[n], squatted[n]])
  const placed = await placeAll(orders.flat().filter((order) => order !== undefined))

  const isSquatter = new Set(squatters.map(({ id }) => id))
  const crowd = placed.filter(({ buyer }) => !isSquatter.has(buyer.id))
  expect(reasons(crowd), 'nobody honest notices anything').toEqual(new Set())
  expect(made(crowd)).toHaveLength(440)
  expect(usdOf(placed.filter(({ buyer }) => isSquatter.has(buyer.id)))).toBe(30 * LARGEST)
  for (const { reply } of made(crowd).slice(0, 20)) await pay(oneOf(0), reply.body.data)
  await mine(oneOf(0), 2)
})

it('however many accounts and networks there are, half of what is left is for buyers who pay', async () => {
  const accounts = await people(450)
  const placed = await placeAll(
    accounts.map((buyer, n) => ({ buyer, usd: LARGEST, from: `10.${n % 50}.7.${n % 250}` })),
  )
  expect(reasons(placed)).toEqual(new Set(['UnpaidShareReached']))
  const counter = await oneOf(0)
    .open.database.selectFrom('stage_counters')
    .selectAll()
    .where('stage_id', '=', 'stage-1')
    .executeTakeFirstOrThrow()
  const unpaidUsd = Number(counter.unpaid / 10n ** 18n) / 10_000
  expect(unpaidUsd).toBeLessThanOrEqual(STAGE_USD / 2)
  expect(unpaidUsd).toBeGreaterThan(STAGE_USD / 2 - 2 * LARGEST)
})
