import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { BREACHES_MAX } from '#server/database/books/check-subjects.ts'
import { listNoted } from '#server/database/books/unchecked.ts'
import { guardInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aPurchase, buyAndPay, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const operator = { accessToken: OPERATOR_TOKEN }

let app: TestApp
let buyer: SeededUser
beforeEach(async () => {
  app = await startApp()
  buyer = await oneUser()
  await buyAndPay(app, buyer)
})
afterEach(() => app.close())

async function oneUser(): Promise<SeededUser> {
  const [user] = await manyUsers(app.open.database, 1)
  if (user === undefined) throw new Error('There is no user.')
  return user
}

/** A minute later, as the workers do it. */
async function guard(): Promise<void> {
  await app.passTime(MINUTE_MS + 1)
  await refreshPrices(app.services)
  await guardInvariants(app.services)
}

const sellTooMuch = (by: number) =>
  sql`update stage_counters set sold = sold + ${by} where stage_id = 'stage-1'`.execute(
    app.open.database,
  )

async function metric(name: string): Promise<number | null> {
  const { body } = await app.app.inject({ url: '/metrics' })
  const found = new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(body)
  return found === null ? null : Number(found[1])
}

const activeStage = () => app.client.call(saleContract.getActiveStage, {})
const resume = (force: boolean) =>
  app.client.call(operatorContract.resumeSale, { body: { force } }, operator)

describe('the guard of a sound sale', () => {
  test('finds nothing, and records when it checked', async () => {
    await guard()
    expect((await activeStage()).status).toBe(200)
    expect(app.complaints).toEqual([])
    expect(await metric('sale_paused')).toBe(0)
    expect(await metric('sale_invariants_broken')).toBe(0)
    const ageS =
      app.clock.now().getTime() / 1000 - ((await metric('sale_invariants_checked_seconds')) ?? 0)
    expect(ageS).toBeLessThan(MINUTE_MS / 1000)
  })

  test('checks once a minute, however many ask', async () => {
    await guard()
    await sellTooMuch(1)
    await guardInvariants(app.services)
    expect((await activeStage()).status).toBe(200)
    await guard()
    expect((await activeStage()).refusal.reason).toBe('SalePaused')
  })
})

describe('books that do not agree', () => {
  test('pause the sale, with a log entry and a metric', async () => {
    await sellTooMuch(7)
    await guard()
    expect((await activeStage()).refusal).toMatchObject({
      code: 503,
      message: 'The token sale is paused',
    })
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SalePaused')
    expect(await metric('sale_paused')).toBe(1)
    expect(await metric('sale_invariants_broken')).toBe(1)
    const [complaint] = app.complaints
    expect(complaint?.message).toMatch(/do not agree, so it was paused.*npm run operator -- resume/)
    expect(complaint?.facts).toMatchObject({
      count: 1,
      breaches: [
        expect.stringMatching(
          /^ledger_agrees: The ledger has \d+ in stage:stage-1:available, and the counter says \d+/,
        ),
      ],
    })
    const { body } = await app.client.call(operatorContract.getSaleState, {}, operator)
    expect(body.pause?.reason).toMatch(/^The books do not agree: The ledger has /)
  })

  test('leave it paused when they agree again, until an operator resumes it', async () => {
    await sellTooMuch(7)
    await guard()
    await sellTooMuch(-7)
    await guard()
    expect(await metric('sale_invariants_broken')).toBe(0)
    expect(await metric('sale_paused')).toBe(1)
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SalePaused')
    expect((await resume(false)).body).toMatchObject({ status: 'ACTIVE', pause: null })
    await aPurchase(app, buyer)
  })

  test('keep it from being resumed, unless by force', async () => {
    await sellTooMuch(7)
    await guard()
    const { refusal } = await resume(false)
    expect(refusal).toMatchObject({ code: 409, reason: 'BooksDisagree' })
    expect(refusal.message).toMatch(/in stage:stage-1:available, and the counter says \d+/)
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SalePaused')
    const { body } = await resume(true)
    expect(body.status).toBe('ACTIVE')
    expect(body.check?.breaches.map(({ is_accepted }) => is_accepted)).toEqual([true])
    await aPurchase(app, buyer)
  })

  test('are not accepted by force where they are not among those that were seen', async () => {
    await sellTooMuch(7)
    await guard()
    const state = await app.client.call(operatorContract.getSaleState, {}, operator)
    const faults = state.body.check?.breaches.map(({ name }) => name) ?? []
    expect(faults).toHaveLength(1)
    await sql`update purchases set held = held + 1`.execute(app.open.database)
    const force = () =>
      app.client.call(operatorContract.resumeSale, { body: { force: true, faults } }, operator)
    const { refusal } = await force()
    expect(refusal.reason).toBe('BooksDisagree')
    expect(refusal.message).toMatch(/^Other faults have been found since you looked\..*Purchase/)
    expect(refusal.message).not.toContain('and the counter says')
    expect((await activeStage()).refusal.reason).toBe('SalePaused')
    await sql`update purchases set held = held - 1`.execute(app.open.database)
    expect((await force()).body.status).toBe('ACTIVE')
  })

  test('that were accepted do not pause it again, but others do', async () => {
    await sellTooMuch(7)
    await resume(true)
    await guard()
    expect((await activeStage()).status).toBe(200)
    expect(await metric('sale_invariants_broken')).toBe(1)
    await sql`update purchases set held = held + 1`.execute(app.open.database)
    await guard()
    expect((await activeStage()).refusal.reason).toBe('SalePaused')
  })

  test('that are more than are listed do not pause it again once they were accepted', async () => {
    const { database } = app.open
    const buyers = await manyUsers(database, 2 * BREACHES_MAX)
    await Promise.all(buyers.map((each) => aPurchase(app, each)))
    await sql`update purchases set credited_base = 1`.execute(database)
    await guard()
    expect((await resume(true)).status).toBe(200)
    // Written anew, they are found in another order.
    await sql`
      update purchases set credited_usd = credited_usd
      where id in (select id from purchases order by created_at limit ${BREACHES_MAX})`.execute(
      database,
    )
    await guard()
    expect((await activeStage()).status).toBe(200)
  })

  test('that were accepted and mended pause it when they come back', async () => {
    await sellTooMuch(7)
    await resume(true)
    await sellTooMuch(-7)
    await guard()
    await sellTooMuch(7)
    await guard()
    expect((await activeStage()).refusal.reason).toBe('SalePaused')
  })
})

test('a check that cannot run is reported, and pauses nothing', async () => {
  await sql`alter table rewards rename to lost_rewards`.execute(app.open.database)
  await guard()
  expect((await activeStage()).status).toBe(200)
  expect(await metric('sale_invariants_not_checked')).toBe(3)
  expect(await metric('sale_paused')).toBe(0)
  expect(app.complaints.map(({ message }) => message)).toEqual([
    expect.stringContaining('so a fault in the books would not be noticed'),
  ])
  expect((await resume(false)).refusal.message).toMatch(
    /^The books of the sale could not all be checked: .*rewards_are_earned could not be checked/,
  )
  await sql`alter table lost_rewards rename to rewards`.execute(app.open.database)
  await guard()
  expect(await metric('sale_invariants_not_checked')).toBe(0)
})

test('what was noted by several rows is looked at once, however much was noted between', async () => {
  const { database } = app.open
  await guard()
  await sql`
    insert into unchecked (kind, subject)
    values ('purchase', 'one'), ('purchase', 'other'), ('purchase', 'one')`.execute(database)
  const first = await listNoted(database, null, 2)
  expect(first.map(({ subject }) => subject)).toEqual(['one', 'one'])
  const then = await listNoted(database, first.at(-1) ?? null, 2)
  expect(then.map(({ subject }) => subject)).toEqual(['other'])
  expect(await listNoted(database, then.at(-1) ?? null, 2)).toEqual([])
})

test('what is broken is reported once, however much was noted between it and its buyer', async () => {
  await buyAndPay(app, buyer)
  await sql`
    update purchases set credited_bonuses = (
      select credited_bonuses from purchases where credited_bonuses ? 'first_purchase_bonus' limit 1
    )`.execute(app.open.database)
  await sql`
    insert into unchecked (kind, subject)
    select 'purchase', 'ffffffff-ffff-4fff-8fff-' || lpad(n::text, 12, '0')
    from generate_series(1, 1000) as n`.execute(app.open.database)
  await guard()
  const { body } = await app.client.call(operatorContract.getSaleState, {}, operator)
  const names = body.check?.breaches.map(({ name }) => name) ?? []
  expect(names).toContain(`one_first_purchase ${buyer.id}`)
  expect(names).toEqual([...new Set(names)])
})

test('what cannot be looked up hides no other breach, and is tried again', async () => {
  await sql`insert into unchecked (kind, subject) values ('purchase', 'no id')`.execute(
    app.open.database,
  )
  await sellTooMuch(1)
  await guard()
  expect((await activeStage()).refusal.reason).toBe('SalePaused')
  expect(await metric('sale_invariants_broken')).toBe(1)
  expect(await metric('sale_invariants_not_checked')).toBeGreaterThan(0)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from unchecked where subject = 'no id'`.execute(
    app.open.database,
  )
  expect(rows).toEqual([{ count: 1 }])
})
