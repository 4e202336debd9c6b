import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { saleContract } from '#contract/sale.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { setPaused } from '#tests/kit/builders/a-purchase.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

const DAY_MS = 24 * 60 * 60_000

describe('the sale', () => {
  test('names its project and what it takes', async () => {
    const { body } = await kit.client.call(saleContract.getCurrentProject, {})
    expect(body).toMatchObject({
      name: 'HUH Token',
      symbol: 'HUH',
      frontend_url: 'http://localhost:3000',
      is_sandbox: true,
    })
    expect(body.payment_tokens.map(({ short_name, chain }) => `${short_name} on ${chain}`)).toEqual(
      [
        'ETH on ERC20',
        'BTC on BTC',
        'BNB on BSC',
        'USDT on ERC20',
        'LTC on Litecoin',
        'DOGE on Dogecoin',
        'MATIC on Polygon',
      ],
    )
    expect(body.payment_tokens.map(({ min_amount_fiat }) => min_amount_fiat)).toEqual([
      10, 25, 5, 20, 5, 5, 5,
    ])
  })

  test('says who sells it, what can be lost, and when tokens are released, in two languages', async () => {
    const { body } = await kit.client.call(saleContract.getCurrentProject, {})
    expect(body).toMatchObject({
      seller: { name: 'HUH Foundation (example)', registration: null },
      contract: null,
      risk: { statement: 'You can lose everything you put in. HUH is not traded yet.' },
      supply: [
        { label: 'Presale', percentage: 35 },
        { label: 'Swap from v1 to v2', percentage: 18 },
        { label: 'Not part of the presale', percentage: 47 },
      ],
      vesting: {
        start_date: null,
        shape: 'linear',
        tranches: [
          { months: 0, percentage: 1 },
          ...[1, 2, 3, 4, 5].map((months) => ({ months, percentage: 19.8 })),
        ],
      },
      translations: { de: { 'Where influence is currency': 'Wo Einfluss Währung ist' } },
    })
    expect(body.papers[0]).toEqual({
      title: 'White paper',
      url: 'https://huh.social/documents/white-paper',
      date: '2022-05-16',
    })
    expect(body.questions.map(({ question }) => question)).toContain('Can I sell them now?')
  })

  test('shows its stage with prices and bonuses as the sale file has them', async () => {
    const { body } = await kit.client.call(saleContract.getActiveStage, {})
    expect(body).toMatchObject({
      name: 'Stage 1',
      type: 'dynamic',
      token_price: 0.0001,
      total_tokens: 800_000_000_000,
      sold_tokens: 0,
      min_fiat_amount: 10,
      max_fiat_amount: 100_000,
      bonuses: {
        base_percentage: 10,
        signup: {
          first_purchase_percentage: 5,
          limited_time: { minutes_after_signup: 1440, percentage: 3 },
        },
        referrals: { earn: 25, spend: 250 },
      },
    })
    expect(body.bonuses.tiered_fiat[0]).toEqual({ amount: 250, percentage: 2 })
    expect(body.bonuses.payment_tokens[0]).toEqual({ token_id: 'matic', percentage: 5 })
  })

  test('has a price for each payment token, and a final one', async () => {
    const prices = (await kit.client.call(saleContract.getPrices, {})).body
    expect(Object.keys(prices).toSorted()).toEqual(
      ['BNB', 'BTC', 'DOGE', 'ETH', 'LTC', 'MATIC', 'USDT'].toSorted(),
    )
    expect(prices['ETH']?.USD).toBeGreaterThan(2_400)
    const final = await kit.client.call(saleContract.getFinalPrice, {})
    expect(final.body).toEqual({ final_price: 0.00032 })
  })

  test('states the least that a payment token takes', async () => {
    const call = (id: string) => kit.client.call(saleContract.getTokenMinimum, { params: { id } })
    expect((await call('btc')).body).toEqual({
      token_id: 'btc',
      min_amount_fiat: 25,
      rail_min_amount_fiat: 0,
      is_last_remainder: false,
      is_available: true,
    })
    for (const id of ['nothing', '\u0000', '__proto__', 'x'.repeat(200)]) {
      expect((await call(id)).refusal.reason).toBe('NotFound')
    }
  })

  test('starts its chart with the opening price', async () => {
    for (const period of ['day', 'week', 'month', 'all'] as const) {
      const { body } = await kit.client.call(saleContract.getPriceChart, { query: { period } })
      expect(body.price_chart[0]?.price).toBe(0.0001)
    }
    const wrong = await kit.client.callWith(saleContract.getPriceChart, {
      query: { period: 'year' },
    })
    expect(wrong.refusal.errors).toEqual([
      { path: 'period', message: 'Must be day, week, month or all' },
    ])
  })

  test('shows a banner while its time is', async () => {
    const ids = async () =>
      (await kit.client.call(saleContract.listBanners, {})).body.map(({ id }) => id)
    expect(await ids()).toEqual(['how-it-works', 'first-week'])
    const later = await startApp({ open: kit.open })
    later.clock.pass(7 * DAY_MS)
    const left = await later.client.call(saleContract.listBanners, {})
    expect(left.body.map(({ id }) => id)).toEqual(['how-it-works'])
    await later.close()
  })

  test('says of a banner in which statuses of the sale it is shown', async () => {
    const { body } = await kit.client.call(saleContract.listBanners, {})
    expect(body.map((banner) => banner.while)).toEqual([
      ['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED'],
      ['ACTIVE'],
    ])
  })

  test('shows its promotions to buyers, as pictures', async () => {
    const { as } = await aUser(kit)
    const { body } = await kit.client.call(saleContract.getPromotionImages, {}, as)
    expect(Object.keys(body)).toEqual([
      'first-purchase',
      'larger-amounts',
      'pay-with-matic',
      'pay-with-bnb',
    ])
    const shipped = (name: string) =>
      readFile(new URL(`../../../sales/promotions/${name}.png`, import.meta.url), 'base64')
    expect(body['first-purchase']).toEqual({
      image: await shipped('first-purchase'),
      image_blue: await shipped('first-purchase-blue'),
      title: '+5%',
      detail: 'more HUH on your first purchase, whichever token you pay with',
      link_url: null,
      buy_params: { usd_amount: 100, token_id: 'eth' },
    })
    expect(body['pay-with-bnb']?.link_url).toBeNull()
    const stranger = await kit.client.call(saleContract.getPromotionImages, {})
    expect(stranger.status).toBe(401)
  })

  test('lists its promotions with the addresses of their pictures', async () => {
    const { as } = await aUser(kit)
    const { body } = await kit.client.call(saleContract.listPromotions, {}, as)
    expect(body).toHaveLength(4)
    expect(body[0]).toEqual({
      key: 'first-purchase',
      image_url: expect.stringMatching(/^\/brand\/promotion-[\da-f]{16}\.png$/),
      image_blue_url: expect.stringMatching(/^\/brand\/promotion-[\da-f]{16}\.png$/),
      width: 1200,
      height: 800,
      title: '+5%',
      detail: 'more HUH on your first purchase, whichever token you pay with',
      link_url: null,
      buy_params: { usd_amount: 100, token_id: 'eth' },
    })
    const stranger = await kit.client.call(saleContract.listPromotions, {})
    expect(stranger.status).toBe(401)
  })
})

describe('a sale that is not on', () => {
  const at = async (passMs: number, changePaused = false) => {
    const other = await startApp({ open: kit.open })
    if (changePaused) await setPaused(kit, true)
    other.clock.pass(passMs)
    const reply = await other.client.call(saleContract.getActiveStage, {})
    await setPaused(kit, false)
    await other.close()
    return reply
  }

  test('reports when it starts', async () => {
    const { status, refusal } = await at(-DAY_MS)
    expect(status).toBe(404)
    expect(refusal.message).toBe('The token sale has not started yet')
    expect(Date.parse(refusal.starts_date ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('reports that it is paused', async () => {
    const { status, refusal } = await at(0, true)
    expect([status, refusal.message]).toEqual([503, 'The token sale is paused'])
  })

  test('reports that it has ended', async () => {
    const { status, refusal } = await at(180 * DAY_MS)
    expect([status, refusal.message]).toEqual([410, 'The token sale has ended'])
  })
})

describe('the preview of bonuses', () => {
  const preview = (body: object, as?: { accessToken: string }) =>
    kit.client.callWith(
      saleContract.calculateBonus,
      { body: { purchase_token_id: 'eth', purchase_amount: 1000, ...body } },
      as,
    )

  test('is for everybody, and adds the caller’s own', async () => {
    const stranger = await preview({})
    expect(Object.keys(stranger.body as object).toSorted()).toEqual([
      'base_bonus',
      'limited_time_bonus',
      'spending_bonus',
    ])
    const { as } = await aUser(kit)
    const own = await preview({}, as)
    expect(own.body).toMatchObject({
      ...(stranger.body as object),
      first_purchase_bonus: expect.any(Number),
      limited_time_signup_bonus: expect.any(Number),
    })
  })

  test('ignores what the caller claims', async () => {
    const truth = (await preview({})).body
    for (const belief of [{ token_price: 0.00000001 }, { token_price: 1e-9, bonuses: { x: 99 } }]) {
      expect((await preview(belief)).body).toEqual(truth)
    }
  })

  test('an expired login counts as none', async () => {
    expect((await preview({}, { accessToken: 'nonsense' })).body).toEqual((await preview({})).body)
  })

  test('refuses a token that the sale does not take', async () => {
    for (const purchase_token_id of ['nothing', '', 'constructor', 'x'.repeat(9_000)]) {
      const reply = await preview({ purchase_token_id })
      expect(reply.refusal.reason).toBe('UnknownPaymentToken')
    }
  })
})
