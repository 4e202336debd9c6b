import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { usersContract } from '#contract/users.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { proportion, tokenAmount } from '#domain/money.ts'
import { listSettlements, requestExpiries } from '#server/database/purchases/purchases.ts'
import { mineSandboxBlocks, replaceSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mine,
  pay,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { WITHOUT_BOUNDS } from '#tests/kit/builders/domain-builders.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { someInstances } from '#tests/kit/servers/start-app.ts'

/**
 * What arrives at once on several instances. The embedded database has one connection, so that only
 * a real PostgreSQL can lose such a race.
 */
const INSTANCES = 4

const { apps, oneOf } = someInstances(INSTANCES, { changeSale: withSmallStages })
afterEach(() => expectInvariants(oneOf(0)))

/** Stages so small that a few hundred buyers see the end of them. */
function withSmallStages(sale: Sale): Sale {
  const stages = sale.stages.map((stage) => ({
    ...stage,
    type: 'fixed' as const,
    finalTokenPrice: stage.tokenPrice,
    supply: proportion(stage.supply, 1n, 5_000n, 'down'),
  }))
  return { ...sale, purchases: { ...sale.purchases, ...WITHOUT_BOUNDS }, stages }
}

async function stageCounter() {
  return await oneOf(0)
    .open.database.selectFrom('stage_counters')
    .selectAll()
    .where('stage_id', '=', 'stage-1')
    .executeTakeFirstOrThrow()
}

describe('one user at many instances at once', () => {
  it('has one purchase for one idempotency key', async () => {
    const [buyer] = await manyUsers(oneOf(0).open.database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const tries = Array.from({ length: 50 }, (_, n) => tryToBuy(oneOf(n), buyer, { key: 'one' }))
    const ids = new Set((await Promise.all(tries)).map(({ body }) => body.data.id))
    expect(ids.size).toBe(1)
  })

  it('has the bonus for a first purchase once', async () => {
    const [buyer] = await manyUsers(oneOf(0).open.database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const purchases = await Promise.all(
      Array.from({ length: 8 }, (_, n) => aPurchase(oneOf(n), buyer)),
    )
    const first = purchases.filter(({ tokens }) => tokens.bonuses.first_purchase_bonus)
    expect(first).toHaveLength(1)
  })

  it('has no more unpaid purchases than the sale allows', async () => {
    const [buyer] = await manyUsers(oneOf(0).open.database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => tryToBuy(oneOf(n), buyer)),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(20)
    expect(new Set(refused.map(({ refusal }) => refusal.reason))).toEqual(
      new Set(['TooManyOpenPurchases']),
    )
  })
})

describe('settling at many instances at once', () => {
  it('credits each payment once, while others go on buying', async () => {
    const buyers = await manyUsers(oneOf(0).open.database, 40)
    const bought = await Promise.all(
      buyers.map(async (buyer, n) => ({ buyer, purchase: await aPurchase(oneOf(n), buyer) })),
    )
    await Promise.all([
      ...bought.map(({ purchase }, n) => pay(oneOf(n), purchase)),
      ...buyers.map((buyer, n) => aPurchase(oneOf(n + 1), buyer)),
    ])
    await mine(oneOf(0), 2)
    await Promise.all(apps.map(({ services }) => watchChains(services)))
    const seen = await Promise.all(
      bought.map(({ buyer, purchase }, n) => lookAt(oneOf(n), buyer, purchase)),
    )
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['completed']))
    expect(apps.flatMap(({ complaints }) => complaints)).toEqual([])
  })
})

/** Holds the counters of all stages until the returned function is called. */
const holdCounters = () => hold(oneOf(0).open.database, lockStageCounters)

describe('a reorganisation that is read while its purchase is being settled', () => {
  it('waits for that, and is settled next', async () => {
    const app = oneOf(0)
    const { database } = app.open
    const [buyer] = await manyUsers(database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await mineSandboxBlocks(database, 2, app.clock.now())
    const release = await holdCounters()
    const settling = watchChains(app.services)
    await expectWaiting(oneOf(0).open.database, 1)
    await replaceSandboxBlocks(database, 3, app.clock.now())
    const reading = watchChains(oneOf(1).services)
    await expectWaiting(oneOf(0).open.database, 2)
    await release()
    await Promise.all([settling, reading])
    expect(apps.flatMap(({ complaints }) => complaints)).toEqual([])
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status_reason: 'reorged' })
  })
})

describe('an expiry that is requested for a purchase whose settlement is due', () => {
  it('is settled as well where that begins before the expiry is stored', async () => {
    const app = oneOf(0)
    const { database } = app.open
    const [buyer] = await manyUsers(database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    await database.insertInto('settlements_due').values({ purchase_id: purchase.id }).execute()
    const from = new Date(purchase.created_date)
    const to = new Date(from.getTime() + 24 * 60 * 60_000)
    const store = await hold(database, (transaction) =>
      requestExpiries(transaction, 'sandbox', { from, to }),
    )
    await settleDue(oneOf(1).services)
    await store()
    expect(await listSettlements(database, 1_000)).toContain(purchase.id)
    await settleDue(app.services)
  })
})

describe('a settlement that waits for another one', () => {
  it('has its price at the instant at which it goes on', async () => {
    const app = oneOf(0)
    const { database } = app.open
    const [buyer] = await manyUsers(database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    await pay(app, await aPurchase(app, buyer))
    await mineSandboxBlocks(database, 2, app.clock.now())
    const release = await holdCounters()
    const settling = watchChains(app.services)
    await expectWaiting(oneOf(0).open.database, 1)
    app.clock.pass(1_000)
    const goesOnAt = app.clock.now()
    await release()
    await settling
    const { at } = await database
      .selectFrom('price_points')
      .select('at')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(at.getTime()).toBeGreaterThanOrEqual(goesOnAt.getTime())
  })
})

describe('a database that ends a connection', () => {
  it('is answered with a retry, and the key finds nothing half made', async () => {
    const app = oneOf(0)
    const [buyer] = await manyUsers(app.open.database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const release = await holdCounters()
    const trying = tryToBuy(app, buyer, { key: 'interrupted' })
    await expectWaiting(oneOf(0).open.database, 1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.open.database)
    const reply = await trying
    await release()
    expect(reply.refusal).toMatchObject({ code: 503, reason: 'Unavailable' })
    expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    expect(app.complaints.splice(0)).toMatchObject([{ message: 'A call failed' }])
    expect((await tryToBuy(app, buyer, { key: 'interrupted' })).status).toBe(201)
  })
})

describe('a buyer who erases their account while their purchase waits', () => {
  it('buys nothing', async () => {
    const app = oneOf(0)
    const { database } = app.open
    const [buyer] = await manyUsers(database, 1)
    if (buyer === undefined) throw new Error('There is no buyer.')
    const release = await holdCounters()
    const buying = tryToBuy(app, buyer)
    await expectWaiting(database, 1)
    const input = { params: { id: buyer.id }, body: undefined }
    const { status } = await oneOf(1).client.call(usersContract.eraseUser, input, buyer.as)
    expect(status).toBe(204)
    await release()
    expect((await buying).refusal).toMatchObject({ code: 401, reason: 'Unauthenticated' })
    const made = database.selectFrom('purchases').select('id').where('user_id', '=', buyer.id)
    expect(await made.execute()).toEqual([])
  })
})

describe('200 buyers of the last tokens', () => {
  it('get all that there is and not one token more', async () => {
    const buyers = await manyUsers(oneOf(0).open.database, 200)
    const before = await stageCounter()
    const replies = await Promise.all(
      buyers.map((buyer, n) => tryToBuy(oneOf(n), buyer, { usd: 70 + (n % 7) * 10 })),
    )
    const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.data)
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(10)
    expect(new Set(refused.map(({ refusal }) => refusal.reason))).toEqual(new Set(['NoTokensLeft']))

    const after = await stageCounter()
    const reserved = tokenAmount(after.reserved - before.reserved)
    const left = after.supply - after.reserved - after.sold
    expect(Number(reserved / 10n ** 18n)).toBeCloseTo(
      sum(made.map(({ tokens }) => tokens.total)),
      -3,
    )
    // No refused request would have fitted: less is left than the smallest of them.
    expect(left).toBeGreaterThanOrEqual(0n)
    expect(Number(left / 10n ** 18n)).toBeLessThan(Math.min(...made.map((m) => m.tokens.total)))
  })
})

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
