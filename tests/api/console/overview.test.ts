import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { consoleContract, type Overview } from '#contract/operator/console.ts'
import { formatDecimal, parseDecimal, PRICE_DECIMALS, USD_DECIMALS } from '#domain/money.ts'
import { saveVisits } from '#server/use-cases/console/save-visits.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  reorganise,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterAll(() => app.close())

async function look(): Promise<Overview> {
  return (await app.client.call(consoleContract.getOverview, {}, operator)).body
}

/** What the running sums have to be: all purchases, added up. */
async function expectSumsOfAll(): Promise<void> {
  const { rows } = await sql<{ difference: bigint }>`
    with counted as (
      select counted_day(created_at, completed_at) as day, payment_token_id, status,
        count(*) as count, sum(credited_usd) as credited_usd
      from purchases group by 1, 2, 3
    )
    select count(*) as difference
    from counted full join (select * from purchase_sums where count > 0) as known
      using (day, payment_token_id, status)
    where counted.count is distinct from known.count
      or counted.credited_usd is distinct from known.credited_usd`.execute(app.open.database)
  expect(rows).toEqual([{ difference: 0n }])
}

test('nothing is raised before the first purchase', async () => {
  const { raised_fiat, by_day, by_token, owed, owed_fiat, purchases, funnel } = await look()
  expect({ raised_fiat, by_token, owed, owed_fiat }).toEqual({
    raised_fiat: '0',
    by_token: [],
    owed: [],
    owed_fiat: '0',
  })
  expect(by_day).toHaveLength(30)
  expect(by_day.every((day) => day.raised_fiat === '0' && day.purchases === 0)).toBe(true)
  expect(Object.values(purchases)).toEqual([0, 0, 0, 0, 0])
  expect(funnel).toEqual({ visited: 0, registered: 0, bought: 0, paid: 0 })
})

test('a small sale has the figures that were worked out by hand', async () => {
  const [ada, bea, cid] = [await aUser(app), await aUser(app), await aUser(app)]
  await aUser(app)
  // Credited: $100 in ETH and $250 in BTC of Ada, and $300 in ETH of Bea.
  await buyAndPay(app, ada, { usd: 100 })
  await buyAndPay(app, ada, { usd: 250, token: 'btc' })
  await buyAndPay(app, bea, { usd: 300 })
  // One that nobody paid expires; one fails with 5 % of $100, which is owed back.
  await aPurchase(app, bea, { usd: 70 })
  const short = await aPurchase(app, cid, { usd: 100 })
  await pay(app, short, part(short, 0.05))
  await mine(app, 2)
  await passExpiry(app)
  // On their way: seen and not confirmed, and not paid yet.
  await pay(app, await aPurchase(app, bea, { usd: 40 }))
  await mine(app)
  await aPurchase(app, cid, { usd: 60 })

  const seen = await look()
  expect(seen.raised_fiat).toBe('650')
  expect(seen.purchases).toEqual({
    pending: 1,
    processing: 1,
    completed: 3,
    expired: 1,
    failed: 1,
  })
  expect(seen.funnel).toEqual({ visited: 0, registered: 4, bought: 3, paid: 2 })
  expect(
    seen.by_token.map(({ short_name, raised_fiat, purchases }) => [
      short_name,
      raised_fiat,
      purchases,
    ]),
  ).toEqual([
    ['ETH', '400', 2],
    ['BTC', '250', 1],
  ])
  expect(seen.by_day.reduce((sum, { raised_fiat }) => sum + Number(raised_fiat), 0)).toBe(650)
  expect(seen.owed).toMatchObject([
    { payment_token: { short_name: 'ETH' }, amount: part(short, 0.05), count: 1 },
  ])
  const price = seen.feeds.find(({ symbol }) => symbol === 'ETH')?.price
  const priced = (await app.services.market.readNow()).prices.get('ETH')?.price ?? 0n
  expect(price).toBe(formatDecimal(priced, PRICE_DECIMALS))
  const value = Math.floor(Number(part(short, 0.05)) * Number(price) * 100) / 100
  expect(Number(seen.owed_fiat)).toBeCloseTo(value, 1)
  const [stage] = seen.stages
  const counter = await app.open.database
    .selectFrom('stage_counters')
    .selectAll()
    .where('stage_id', '=', stage?.id ?? '')
    .executeTakeFirstOrThrow()
  const tokens = (amount: bigint) => formatDecimal(amount, app.services.sale.project.decimals)
  expect(stage).toMatchObject({
    sold: tokens(counter.sold),
    reserved: tokens(counter.reserved),
    left: tokens(counter.supply - counter.sold - counter.reserved),
  })
  await expectSumsOfAll()
  await expectAllWell(app)
})

test('what a reorganisation takes back is raised no more, and its buyer has not paid', async () => {
  const before = await look()
  const dan = await aUser(app)
  await buyAndPay(app, dan, { usd: 500 })
  expect((await look()).raised_fiat).toBe(String(Number(before.raised_fiat) + 500 + 40))
  await reorganise(app, 2)
  const after = await look()
  expect(Number(after.raised_fiat)).toBeLessThan(Number(before.raised_fiat) + 500)
  expect(after.funnel.paid).toBe(before.funnel.paid)
  await expectSumsOfAll()
  await mine(app, 3)
  await expectSumsOfAll()
})

test('every total of dollars is the sum of its lines, to the last digit', async () => {
  const eva = await aUser(app)
  await buyAndPay(app, eva, { usd: 33.333337 })
  await buyAndPay(app, eva, { usd: 47.777779, token: 'btc' })
  const { raised_fiat, by_token, by_day, owed, owed_fiat } = await look()
  expect(raised_fiat, 'has parts of a dollar').toMatch(/\.\d+$/)
  expect(sumOf(by_token.map((each) => each.raised_fiat))).toBe(raised_fiat)
  expect(sumOf(by_day.map((each) => each.raised_fiat))).toBe(raised_fiat)
  expect(sumOf(owed.map((each) => each.amount_fiat))).toBe(owed_fiat)
})

function sumOf(amounts: readonly (string | null)[]): string {
  const units = amounts.map((amount) => parseDecimal(amount ?? '', USD_DECIMALS) ?? 0n)
  return formatDecimal(
    units.reduce((sum, each) => sum + each, 0n),
    USD_DECIMALS,
  )
}

test('pages that were sent are counted in one row a day, and nothing of who asked', async () => {
  const { visited } = (await look()).funnel
  app.services.visits.add()
  app.services.visits.add(2)
  await saveVisits(app.services)
  await saveVisits(app.services)
  expect((await look()).funnel.visited).toBe(visited + 3)
  const rows = await app.open.database
    .selectFrom('funnel_days')
    .selectAll()
    .where('step', '=', 'visited')
    .execute()
  expect(rows).toHaveLength(1)
  expect(Object.keys(rows[0] ?? {})).toEqual(['step', 'day', 'count'])
})

test('visits that could not be stored are stored at the next time', async () => {
  const { visited } = (await look()).funnel
  app.services.visits.add(5)
  await sql`alter table funnel_days rename to lost_days`.execute(app.open.database)
  await expect(saveVisits(app.services)).rejects.toThrow(/funnel_days/)
  await sql`alter table lost_days rename to funnel_days`.execute(app.open.database)
  await saveVisits(app.services)
  expect((await look()).funnel.visited).toBe(visited + 5)
})

test('prices that are too old are shown as such', async () => {
  expect((await look()).feeds.every(({ is_fresh }) => is_fresh)).toBe(true)
  await app.passTime(10 * 60_000)
  const { feeds } = await look()
  expect(feeds.length).toBeGreaterThan(1)
  expect(feeds.every(({ is_fresh }) => !is_fresh)).toBe(true)
})

test('mails that wait and mails that were given up are counted', async () => {
  const { database } = app.open
  const { mails } = await look()
  expect(mails.unsent).toBeGreaterThan(0)
  expect(mails.oldest_unsent_date).not.toBeNull()
  await database
    .updateTable('outbox_mails')
    .set({ sent_at: new Date() })
    .where('sent_at', 'is', null)
    .execute()
  expect((await look()).mails).toEqual({ unsent: 0, oldest_unsent_date: null, given_up: 0 })
})
