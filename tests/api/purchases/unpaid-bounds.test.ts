import { afterEach, describe, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { percentage, tokenAmount, type Usd, usd } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  expectInvariants,
  mine,
  part,
  passExpiry,
  pay,
  reorganise,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { recordQueries } from '#tests/kit/builders/recorded-queries.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
afterEach(async () => {
  await expectInvariants(app)
  await app.close()
})

const MINUTE_MS = 60_000
const dollars = (whole: bigint) => usd(whole * 10n ** 6n)

/** A stage of so many dollars, $1 a token, of which one purchase takes $1,000 at most. */
async function start(
  supplyUsd: bigint,
  rules: Partial<Sale['purchases']> = {},
  maxUsd: Usd | null = dollars(1_000n),
): Promise<void> {
  const stage = {
    supply: tokenAmount(supplyUsd * 10n ** 18n),
    minUsd: dollars(10n),
    maxUsd,
  }
  app = await startApp({
    changeSale: (sale) => ({
      ...smallStages(stage)(sale),
      purchases: { ...sale.purchases, unpaidShare: percentage(1_000_000n), ...rules },
    }),
  })
}

async function buyers(count: number): Promise<[SeededUser, SeededUser, ...SeededUser[]]> {
  const [one, other, ...rest] = await manyUsers(app.open.database, Math.max(2, count))
  if (one === undefined || other === undefined) throw new Error('There is nobody.')
  return [one, other, ...rest]
}

/** Lets time pass, and prices be fetched after it. */
async function pass(ms: number): Promise<void> {
  await app.passTime(ms)
  await refreshPrices(app.services)
}

/** The preview that the form gets while an amount is typed. */
async function preview(buyer: SeededUser | null, amount: number, from = '127.0.0.1') {
  const body = { purchase_token_id: 'eth', purchase_amount: amount }
  return await app.client.call(
    saleContract.calculateBonus,
    { body },
    { ...buyer?.as, remoteAddress: from },
  )
}

describe('unpaid dollars of one account', () => {
  it('are as many as the largest purchase, and the refusal says how much is left and until when', async () => {
    await start(1_000_000n)
    const [buyer] = await buyers(1)
    await aPurchase(app, buyer, { usd: 600 })
    await pass(7 * MINUTE_MS)
    const tooMuch = await tryToBuy(app, buyer, { usd: 401 })
    expect(tooMuch.refusal).toMatchObject({
      code: 409,
      reason: 'UserWorthReached',
      message:
        'One account may reserve $1,000 at a time without paying. $400 of that is left right now. ' +
        'Pay first, or try again in 23 minutes',
    })
    const waitSeconds = Number(tooMuch.headers['retry-after'])
    expect(waitSeconds).toBeGreaterThan(22 * 60)
    expect(waitSeconds).toBeLessThanOrEqual(23 * 60)
    expect((await preview(buyer, 401)).refusal).toEqual({
      ...tooMuch.refusal,
      request_id: expect.any(String),
    })
    expect((await preview(buyer, 400)).status).toBe(200)
    expect((await tryToBuy(app, buyer, { usd: 400 })).status).toBe(201)
  })

  it('are only what is still due of a purchase, and nothing once its payment is seen', async () => {
    await start(1_000_000n)
    const [buyer] = await buyers(1)
    const first = await aPurchase(app, buyer, { usd: 1_000 })
    await pay(app, first, part(first, 0.001))
    expect((await tryToBuy(app, buyer, { usd: 100 })).refusal.reason).toBe('UserWorthReached')
    await pay(app, first, part(first, 0.5))
    expect((await tryToBuy(app, buyer, { usd: 400 })).status).toBe(201)
    const paid = await aPurchase(app, buyer, { usd: 100 })
    await pay(app, paid)
    expect((await tryToBuy(app, buyer, { usd: 100 })).status).toBe(201)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.reason).toBe('UserWorthReached')
  })

  it('are not offered where less than the smallest purchase is left', async () => {
    await start(1_000_000n)
    const [buyer] = await buyers(1)
    await aPurchase(app, buyer, { usd: 995 })
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toBe(
      'One account may reserve $1,000 at a time without paying, and what is left of that is less ' +
        'than the smallest purchase. Pay first, or try again in 30 minutes',
    )
  })

  it('count again when the payment is gone from the chain', async () => {
    await start(1_000_000n)
    const [buyer] = await buyers(1)
    const purchase = await aPurchase(app, buyer, { usd: 1_000 })
    await pay(app, purchase)
    await mine(app, 1)
    expect((await tryToBuy(app, buyer, { usd: 10 })).status).toBe(201)
    await reorganise(app, 2)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.reason).toBe('UserWorthReached')
  })

  it('may be more where the sale file allows it', async () => {
    await start(1_000_000n, { openWorthPerUser: dollars(1_500n) })
    const [buyer] = await buyers(1)
    await aPurchase(app, buyer, { usd: 1_000 })
    expect((await tryToBuy(app, buyer, { usd: 500 })).status).toBe(201)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toContain('$1,500')
  })
})

describe('a stage without a largest purchase', () => {
  it('has no bound of an account or a connection by itself', async () => {
    await start(1_000_000n, {}, null)
    const [buyer] = await buyers(1)
    for (const amount of [200_000, 300_000, 400_000]) {
      expect((await tryToBuy(app, buyer, { usd: amount })).status).toBe(201)
    }
  })
})

describe('unpaid dollars by one connection', () => {
  it('are ten times those of an account, for a /24 of IPv4 and a /64 of IPv6', async () => {
    await start(1_000_000n)
    const [one, other, ...rest] = await buyers(22)
    const all = [one, other, ...rest]
    for (const [n, buyer] of all.slice(0, 10).entries()) {
      await aPurchase(app, buyer, { usd: 1_000, from: `192.0.2.${n}` })
    }
    const refused = await tryToBuy(app, all[10] ?? one, { usd: 10, from: '192.0.2.200' })
    expect(refused.refusal).toMatchObject({ code: 409, reason: 'ConnectionWorthReached' })
    expect(refused.refusal.message).toBe(
      'One network may reserve $10,000 at a time without paying, and none of that is left right ' +
        'now. Try again in 30 minutes',
    )
    expect((await preview(all[10] ?? one, 10, '192.0.2.201')).refusal.reason).toBe(
      'ConnectionWorthReached',
    )
    expect((await tryToBuy(app, all[10] ?? one, { usd: 10, from: '192.0.3.200' })).status).toBe(201)

    for (const [n, buyer] of all.slice(11, 21).entries()) {
      await aPurchase(app, buyer, { usd: 1_000, from: `2001:db8:1:2:${n}::1` })
    }
    const last = all[21] ?? one
    const there = { usd: 10, from: '2001:db8:1:2:ffff::1' }
    expect((await tryToBuy(app, last, there)).refusal.reason).toBe('ConnectionWorthReached')
    expect((await tryToBuy(app, last, { usd: 10, from: '2001:db8:1:3::1' })).status).toBe(201)
  })

  it('keep no address, and nothing at all once a purchase is paid or over', async () => {
    await start(1_000_000n)
    const [one, other] = await buyers(2)
    const paid = await aPurchase(app, one, { usd: 100, from: '192.0.2.77' })
    await aPurchase(app, other, { usd: 100, from: '192.0.2.78' })
    expect(await everythingStored(app.open.database)).not.toContain('192.0.2')
    const known = () =>
      app.open.database
        .selectFrom('purchases')
        .select('id')
        .where('connection_hash', 'is not', null)
        .execute()
    expect(await known()).toHaveLength(2)
    await pay(app, paid)
    expect(await known()).toHaveLength(1)
    await passExpiry(app)
    expect(await known()).toEqual([])
  })
})

describe('all unpaid reservations', () => {
  const half = { unpaidShare: percentage(500_000n) }

  it('are at most the share of what is left, so that each payment makes room for others', async () => {
    await start(3_000n, half)
    const [one, other, third] = await buyers(3)
    if (third === undefined) throw new Error('Few.')
    const first = await aPurchase(app, one, { usd: 1_000 })
    const refused = await tryToBuy(app, other, { usd: 600 })
    expect(refused.refusal).toMatchObject({
      code: 409,
      reason: 'UnpaidShareReached',
      message:
        'Others have not paid for their reservations yet, so only $500 worth of tokens can be reserved right ' +
        'now. Try again in 30 minutes',
    })
    expect((await preview(other, 600)).refusal.reason).toBe('UnpaidShareReached')
    expect((await tryToBuy(app, other, { usd: 500 })).status).toBe(201)
    expect((await tryToBuy(app, third, { usd: 10 })).refusal.message).toBe(
      'Buyers have reserved as much as they may before paying. Try again in 30 minutes',
    )
    // $2,000 is left then, of which $500 is reserved.
    await pay(app, first)
    expect((await tryToBuy(app, third, { usd: 510 })).refusal.message).toContain('only $500')
    expect((await tryToBuy(app, third, { usd: 500 })).status).toBe(201)
  })

  it('are never offered an amount that is then refused', async () => {
    await start(3_000n, half)
    const [one, other, third] = await buyers(3)
    if (third === undefined) throw new Error('Few.')
    await aPurchase(app, one, { usd: 900 })
    await pass(10 * MINUTE_MS)
    await aPurchase(app, other, { usd: 595 })
    const nothing = 'Buyers have reserved as much as they may before paying. '
    const { refusal } = await tryToBuy(app, third, { usd: 10 })
    expect(refusal.message).toBe(`${nothing}Try again in 20 minutes`)
    expect((await preview(third, 10)).refusal.message).toBe(refusal.message)
    // The first to expire is the caller's own, which makes them no room.
    expect((await tryToBuy(app, one, { usd: 10 })).refusal.message).toBe(
      `${nothing}Try again in 30 minutes`,
    )
    expect((await preview(null, 10)).refusal.message).toBe(`${nothing}Try again in a while`)
  })

  it('are checked for visitors without a database query', async () => {
    await start(3_000n, half)
    const [one] = await buyers(1)
    const asked = recordQueries(app.open.database, 'unpaid_of')
    app.services.database = asked.database
    expect((await preview(one, 10)).status).toBe(200)
    expect(asked.queries).toHaveLength(2)
    for (let n = 0; n < 50; n += 1) expect((await preview(null, 10)).status).toBe(200)
    expect(asked.queries).toHaveLength(2)
  })

  it('may be all that is left where they are one buyer’s', async () => {
    await start(1_000n, half)
    const [one, other] = await buyers(2)
    expect((await preview(one, 1_000)).status).toBe(200)
    expect((await tryToBuy(app, one, { usd: 700 })).status).toBe(201)
    expect((await tryToBuy(app, one, { usd: 300 })).status).toBe(201)
    expect((await tryToBuy(app, other, { usd: 10 })).refusal).toMatchObject({
      reason: 'NoTokensLeft',
      message: 'No tokens are left right now',
    })
  })
})

describe('beside one smallest purchase that nobody pays', () => {
  it('all else is bought by buyers who pay at once, down to the last token', async () => {
    await start(1_000n, { unpaidShare: percentage(500_000n) })
    const [griefer, honest] = await buyers(2)
    await aPurchase(app, griefer, { usd: 10, from: '198.51.100.1' })
    for (let left = 990; left > 0;) {
      const amount = Math.min(left, Math.max(90, Math.floor((left - 10) / 2)))
      await pay(app, await aPurchase(app, honest, { usd: amount }))
      await mine(app, 2)
      left -= amount
    }
    expect((await tryToBuy(app, honest, { usd: 10 })).refusal.reason).toBe('NoTokensLeft')
  })

  it('a hundred accounts do not empty a stage', async () => {
    await start(1_000n, { unpaidShare: percentage(500_000n) })
    const placed = []
    for (const [n, buyer] of (await buyers(100)).entries()) {
      placed.push(await tryToBuy(app, buyer, { usd: 10, from: `198.51.${n}.1` }))
    }
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(50)
  })
})

describe('a buyer who lets purchases expire', () => {
  async function letExpire(buyer: SeededUser, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await aPurchase(app, buyer, { usd: 10 })
    await passExpiry(app)
  }

  /** Sessions of the many users last an hour. */
  const quick = { expireAfterMs: MINUTE_MS }

  it('has half as many open after each, until one is paid', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    await letExpire(buyer, 1)
    const open = []
    for (let n = 0; n < 5; n += 1) open.push(await aPurchase(app, buyer, { usd: 10 }))
    const refused = await tryToBuy(app, buyer, { usd: 10 })
    expect(refused.refusal).toMatchObject({
      reason: 'TooManyOpenPurchases',
      message:
        'You let purchases end without paying, so you may have 5 unpaid purchases at a time ' +
        'until you pay one. Pay first, or try again in a minute',
    })
    expect((await preview(buyer, 10)).refusal.reason).toBe('TooManyOpenPurchases')
    const [first] = open
    if (first === undefined) throw new Error('Nothing is open.')
    await pay(app, first)
    for (let n = 0; n < 6; n += 1) await aPurchase(app, buyer, { usd: 10 })
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toBe(
      'You may have 10 unpaid purchases at a time. Pay first, or try again in a minute',
    )
  })

  it('waits from the third time on, the longer the more there were', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    await letExpire(buyer, 10)
    const refused = await tryToBuy(app, buyer, { usd: 10 })
    expect(refused.refusal).toMatchObject({
      code: 409,
      reason: 'PurchasesLapsed',
      message:
        'You let 10 purchases end without paying, so the next one has to wait. ' +
        'Try again in 8 minutes',
    })
    const waitSeconds = Number(refused.headers['retry-after'])
    expect(waitSeconds).toBeGreaterThan(7 * 60)
    expect((await preview(buyer, 10)).refusal.reason).toBe('PurchasesLapsed')
    await pass(waitSeconds * 1_000)
    const purchase = await aPurchase(app, buyer, { usd: 10 })
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.reason).toBe('TooManyOpenPurchases')
    await pay(app, purchase)
    expect((await tryToBuy(app, buyer, { usd: 10 })).status).toBe(201)
  })
  it('is given a long wait in hours', async () => {
    await start(1_000_000n, { expireAfterMs: 30 * MINUTE_MS })
    const [buyer] = await buyers(1)
    await letExpire(buyer, 10)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toContain(
      'Try again in 4 hours',
    )
  })

  it('counts as such with crumbs of a payment as well', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    for (let n = 0; n < 10; n += 1) {
      const purchase = await aPurchase(app, buyer, { usd: 10 })
      await pay(app, purchase, part(purchase, 0.001))
    }
    await mine(app, 2)
    await passExpiry(app)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toContain(
      'You let 10 purchases end without paying',
    )
  })

  it('counts as such with crumbs that no block has taken, which hold no more than they could buy', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    for (let n = 0; n < 10; n += 1) {
      const purchase = await aPurchase(app, buyer, { usd: 10 })
      await pay(app, purchase, part(purchase, 0.001))
    }
    const counter = () =>
      app.open.database
        .selectFrom('stage_counters')
        .select(['reserved', 'unpaid'])
        .orderBy('stage_id')
        .executeTakeFirstOrThrow()
    const before = await counter()
    await passExpiry(app)
    const after = await counter()
    expect(after.reserved * 1_000n).toBe(before.reserved)
    expect(after.unpaid).toBe(0n)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.message).toContain(
      'You let 10 purchases end without paying',
    )
  })

  it('does not count as such where most of it was paid, though no block has taken that yet', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    for (let n = 0; n < 5; n += 1) {
      const purchase = await aPurchase(app, buyer, { usd: 10 })
      await pay(app, purchase, part(purchase, 0.6))
    }
    await passExpiry(app)
    for (let n = 0; n < 10; n += 1) {
      expect((await tryToBuy(app, buyer, { usd: 10 })).status).toBe(201)
    }
  })

  it('does not count as such where the money came too late', async () => {
    await start(1_000_000n, quick)
    const [buyer] = await buyers(1)
    const purchases = []
    for (let n = 0; n < 3; n += 1) purchases.push(await aPurchase(app, buyer, { usd: 10 }))
    await passExpiry(app)
    expect((await tryToBuy(app, buyer, { usd: 10 })).refusal.reason).toBe('PurchasesLapsed')
    for (const purchase of purchases) await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    for (let n = 0; n < 10; n += 1) await aPurchase(app, buyer, { usd: 10 })
  })
})
