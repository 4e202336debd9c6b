import { afterEach, describe, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { price, tokenAmount, usd } from '#domain/money.ts'
import type { Sale, Stage } from '#domain/sale/sale.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  lookAt,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  refundsOf,
  reorganise,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { NO_BONUSES, smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) {
    await expectAllWell(app)
    await app.close()
  }
})

async function open(changeSale: (sale: Sale) => Sale): Promise<TestApp> {
  const app = await startApp({ changeSale: (sale) => changeSale(quickSale(sale)) })
  apps.push(app)
  return app
}

const activeStage = ({ client }: TestApp) => client.call(saleContract.getActiveStage, {})

/** Below a stage that ends only by selling out: one that ends in half a minute, and a third. */
function behindAnEndlessOne(): (sale: Sale) => Sale {
  const start = new Date(Date.now() + MINUTE_MS / 2)
  return smallStages(
    { endsAt: null },
    { startsAt: new Date(0), endsAt: start },
    { startsAt: start, endsAt: null },
  )
}

describe('a dynamic stage', () => {
  it('moves its price with what is sold, and the chart shows each change', async () => {
    const app = await open(
      smallStages({ type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n) }),
    )
    const buyer = await aUser(app)
    const open500 = await aPurchase(app, buyer, { usd: 500 })
    expect((await activeStage(app)).body).toMatchObject({ token_price: 1, sold_tokens: 0 })
    await pay(app, open500)
    await mine(app, 2)
    expect((await activeStage(app)).body).toMatchObject({ token_price: 1.5, sold_tokens: 500 })

    const later = await aPurchase(app, buyer, { usd: 150 })
    expect(later.token_price).toBe(1.5)
    expect(later.tokens.total).toBe(100)
    const { price_chart } = (await app.client.call(saleContract.getPriceChart, { query: {} })).body
    expect(price_chart.map((point) => point.price)).toEqual([1, 1.5, 1.5])
  })

  it('gives a purchase that was made before the price it was made at', async () => {
    const app = await open(
      smallStages({ type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n) }),
    )
    const [early, quick] = [await aUser(app), await aUser(app)]
    const locked = await aPurchase(app, early, { usd: 100 })
    await buyAndPay(app, quick, { usd: 500 })
    await pay(app, locked)
    await mine(app, 2)
    expect(await lookAt(app, early, locked)).toMatchObject({
      status: 'completed',
      tokens: { total: 100 },
    })
  })
})

describe('the price chart', () => {
  const chartOf = async ({ client }: TestApp) =>
    (await client.call(saleContract.getPriceChart, { query: {} })).body.price_chart.map(
      (point) => point.price,
    )

  it('keeps the price of the stage on sale when an earlier one is settled', async () => {
    const now = Date.now()
    const boundary = new Date(now + MINUTE_MS / 2)
    const app = await open(
      smallStages(
        { type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n), endsAt: boundary },
        { startsAt: boundary },
      ),
    )
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { usd: 500 })
    await pay(app, purchase)
    await app.passTime(MINUTE_MS)
    await mine(app, 2)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2', token_price: 2 })
    expect(await chartOf(app)).toEqual([1, 2, 2])
  })

  it('has no price of a stage that waits until the one above it is sold out', async () => {
    const app = await open(smallStages({ endsAt: null }, { startsAt: new Date(0) }))
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 1', token_price: 1 })
    expect(await chartOf(app)).toEqual([1, 1])
    await buyAndPay(app, await aUser(app), { usd: 1000 })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2', token_price: 2 })
    expect(await chartOf(app)).toEqual([1, 2, 2])
  })

  it('has the price of a later stage once it is known when that one opens', async () => {
    const app = await open(behindAnEndlessOne())
    await buyAndPay(app, await aUser(app), { usd: 1000 })
    expect(await chartOf(app)).toEqual([1, 2, 2])
    await reorganise(app, 5)
    expect(await chartOf(app)).toEqual([1, 2, 2])
    await app.passTime(MINUTE_MS)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 3', token_price: 3 })
    expect(await chartOf(app)).toEqual([1, 2, 3, 3])
  })

  it('goes on when the last stage, once sold out, is on sale again', async () => {
    const app = await open((sale) => {
      const small = smallStages()(sale)
      return { ...small, stages: small.stages.slice(0, 1) }
    })
    await buyAndPay(app, await aUser(app), { usd: 1000 })
    expect((await activeStage(app)).refusal.reason).toBe('SaleEnded')
    await reorganise(app, 5)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 1', token_price: 1 })
    expect(await chartOf(app)).toEqual([1, 1, 1])
  })
})

describe('the end of a stage', () => {
  it('comes when all is sold, and the next one opens at once', async () => {
    const app = await open(smallStages())
    const buyer = await aUser(app)
    await buyAndPay(app, buyer, { usd: 1000 })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2', token_price: 2 })
    const { price_chart } = (await app.client.call(saleContract.getPriceChart, { query: {} })).body
    expect(price_chart.map((point) => point.price)).toEqual([1, 2, 2])
    expect(await aPurchase(app, buyer, { usd: 100 })).toMatchObject({ token_price: 2 })
  })

  it('stays, whatever is taken back, and a payment that returns still gets its tokens', async () => {
    const app = await open(smallStages())
    const buyer = await aUser(app)
    const { id } = await buyAndPay(app, buyer, { usd: 1000 })
    await reorganise(app, 5)
    const gone = await lookAt(app, buyer, { id })
    expect(gone).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2', token_price: 2 })
    expect(await aPurchase(app, buyer, { usd: 100 })).toMatchObject({ token_price: 2 })
    await pay(app, gone)
    await mine(app, 2)
    expect(await lookAt(app, buyer, { id })).toMatchObject({
      status: 'completed',
      tokens: { total: 1000 },
    })
  })

  it('does not come while all is reserved but not paid', async () => {
    const app = await open(smallStages())
    const [quick, slow] = [await aUser(app), await aUser(app)]
    await aPurchase(app, quick, { usd: 1000 })
    expect((await tryToBuy(app, slow)).refusal).toMatchObject({
      code: 409,
      reason: 'NoTokensLeft',
      message: 'No tokens are left right now',
    })
    await passExpiry(app)
    expect(await aPurchase(app, slow, { usd: 1000 })).toMatchObject({ status: 'pending' })
  })

  it('sells the last remainder although it is worth less than the minimum', async () => {
    const app = await open(smallStages())
    const buyer = await aUser(app)
    await buyAndPay(app, buyer, { usd: 996 })
    expect((await activeStage(app)).body).toMatchObject({ min_fiat_amount: 4 })
    const minimum = { params: { id: 'usdt' } }
    expect((await app.client.call(saleContract.getTokenMinimum, minimum)).body).toEqual({
      token_id: 'usdt',
      min_amount_fiat: 4,
      rail_min_amount_fiat: 0,
      is_last_remainder: true,
      is_available: true,
    })
    expect((await tryToBuy(app, buyer, { usd: 3 })).refusal).toMatchObject({
      reason: 'BelowMinimum',
      message: "Can't spend less than $4",
    })
    expect((await tryToBuy(app, buyer, { usd: 5 })).refusal.reason).toBe('NoTokensLeft')
    await buyAndPay(app, buyer, { usd: 4, token: 'usdt' })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2' })
  })

  it('ends the sale when it was the last', async () => {
    const app = await open((sale) => {
      const small = smallStages()(sale)
      return { ...small, stages: small.stages.slice(0, 1) }
    })
    const buyer = await aUser(app)
    const late = await aPurchase(app, buyer, { usd: 100 })
    await passExpiry(app)
    await buyAndPay(app, buyer, { usd: 1000 })
    const reply = await activeStage(app)
    expect(reply.refusal).toMatchObject({ code: 410, message: 'The token sale has ended' })
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SaleEnded')
    expect((await app.client.call(saleContract.getFinalPrice, {})).body.final_price).toBe(1)

    await pay(app, late, part(late, 1))
    await pay(app, late, '1')
    await mine(app, 2)
    expect(await lookAt(app, buyer, late)).toMatchObject({
      status: 'expired',
      status_reason: 'late',
    })
    expect((await refundsOf(app, late)).map(({ why }) => why)).toEqual(['late', 'late'])
  })
})

describe('a sale that is not on', () => {
  it('reports when it starts', async () => {
    const startsAt = new Date(Date.now() + 60 * MINUTE_MS)
    const app = await open(smallStages({ startsAt }))
    const buyer = await aUser(app)
    expect((await activeStage(app)).refusal).toMatchObject({
      code: 404,
      message: 'The token sale has not started yet',
      starts_date: startsAt.toISOString(),
      is_between_stages: false,
    })
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SaleNotStarted')
  })

  it('refuses while it is paused, and still answers a repeated request with its purchase', async () => {
    const app = await open(smallStages())
    const buyer = await aUser(app)
    const made = await aPurchase(app, buyer, { key: 'before-the-pause' })
    const pause = { paused_at: app.clock.now(), pause_reason: 'A test' }
    await app.open.database.updateTable('sale').set(pause).execute()
    expect((await tryToBuy(app, buyer)).refusal).toMatchObject({ code: 503, reason: 'SalePaused' })
    app.services.market.invalidate()
    expect((await activeStage(app)).refusal.reason).toBe('SalePaused')
    expect((await aPurchase(app, buyer, { key: 'before-the-pause' })).id).toBe(made.id)
    expect((await tryToBuy(app, buyer, { usd: 1, key: 'before-the-pause' })).refusal.reason).toBe(
      'IdempotencyKeyReused',
    )
  })
})

describe('what a purchase may be', () => {
  it('is between the limits, in a token of the sale, at a fresh price', async () => {
    const app = await open(smallStages({ maxUsd: usd(900_000_000n) }))
    const buyer = await aUser(app)
    const below = await tryToBuy(app, buyer, { usd: 19.99, token: 'usdt' })
    expect(below.refusal).toMatchObject({ code: 400, message: "Can't spend less than $20" })
    const above = await tryToBuy(app, buyer, { usd: 900.000001 })
    expect(above.refusal).toMatchObject({ code: 400, message: "Can't spend more than $900" })
    expect((await tryToBuy(app, buyer, { token: 'xmr' })).refusal).toMatchObject({
      code: 400,
      reason: 'UnknownPaymentToken',
    })
    await app.passTime(3 * MINUTE_MS)
    app.services.market.invalidate()
    expect((await tryToBuy(app, buyer)).refusal).toMatchObject({ code: 503, reason: 'PriceStale' })
    await refreshPrices(app.services)
    expect((await tryToBuy(app, buyer)).status).toBe(201)
  })

  it('is not made at a price that a wrong clock has stamped, until it is fetched again', async () => {
    const app = await open(smallStages())
    const buyer = await aUser(app)
    const farAhead = new Date(Date.now() + 30 * 24 * 60 * MINUTE_MS)
    await app.open.database.updateTable('prices').set({ fetched_at: farAhead }).execute()
    await app.open.database.updateTable('leases').set({ ends_at: farAhead }).execute()
    app.services.market.invalidate()
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('PriceStale')
    await refreshPrices(app.services)
    expect((await tryToBuy(app, buyer)).status).toBe(201)
  })

  it('leaves a stage that other purchases moved on meanwhile no price but its own', async () => {
    const app = await open(
      smallStages({ type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n) }),
    )
    const [one, other] = [await aUser(app), await aUser(app)]
    // The reader has the old price still: booking finds that out under the lock, and quotes again.
    const stale = await app.services.market.read()
    await buyAndPay(app, one, { usd: 500 })
    const { market } = app.services
    let reads = 0
    const lagging = {
      ...market,
      read: async () => ((reads += 1) === 1 ? stale : await market.read()),
    }
    app.services.market = lagging
    const quoted = await aPurchase(app, other, { usd: 150 })
    expect(quoted).toMatchObject({ token_price: 1.5, tokens: { total: 100 } })
    expect(reads).toBe(1)
  })
})

describe('a token that is not divisible', () => {
  it('is never sold for less than one of it costs', async () => {
    const app = await open((sale) => {
      const small = smallStages({
        tokenPrice: price(150n * 10n ** 12n),
        finalTokenPrice: price(150n * 10n ** 12n),
        tokenDecimals: 0,
        supply: tokenAmount(1_000n),
        minUsd: usd(1_000_000n),
      })(sale)
      return { ...small, project: { ...small.project, decimals: 0 } }
    })
    const buyer = await aUser(app)
    expect((await tryToBuy(app, buyer, { usd: 149.99 })).refusal).toMatchObject({
      reason: 'BelowMinimum',
      message: "Can't spend less than $150",
    })
    const minimum = { params: { id: 'eth' } }
    expect((await app.client.call(saleContract.getTokenMinimum, minimum)).body).toMatchObject({
      min_amount_fiat: 150,
    })
    const purchase = await buyAndPay(app, buyer, { usd: 150 })
    expect(purchase.tokens.total).toBe(1)
  })
})

describe('supply', () => {
  it('of a stage includes the bonuses', async () => {
    const half = { ...NO_BONUSES, base: 500_000n as Stage['bonuses']['base'] }
    const app = await open(smallStages({ bonuses: half }))
    const buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer, { usd: 600 })
    expect(purchase.tokens.total).toBe(900)
    expect((await activeStage(app)).body).toMatchObject({ sold_tokens: 900 })
    expect((await tryToBuy(app, buyer, { usd: 100 })).refusal.message).toMatch(
      /^Only \$66\.66\d* worth of tokens are left right now$/,
    )
  })
})
