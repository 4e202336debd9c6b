import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { saleContract } from '#contract/sale.ts'
import { price } from '#domain/money.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aPurchase, lookAt, mine, pay, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const TOO_OLD_MS = 3 * 60_000

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp()
  buyer = await aUser(app)
})
afterEach(() => app.close())

describe('a price source that fails', () => {
  const failures: [string, () => Promise<never>][] = [
    ['is not there', () => Promise.reject(new Unavailable('The feeds do not answer'))],
    ['has a bug', () => Promise.reject(new TypeError('x is not a function'))],
  ]

  test.each(failures)('because it %s stops new purchases alone', async (_, fetchPrices) => {
    const { priceSource } = app.services
    const bought = await aPurchase(app, buyer)
    app.services.priceSource = { fetchPrices }
    await app.passTime(TOO_OLD_MS)
    await refreshPrices(app.services)
    expect(app.complaints.splice(0).map(({ message }) => message)).toEqual([
      'Prices could not be fetched. The server tries again soon',
    ])

    expect((await tryToBuy(app, buyer)).refusal).toMatchObject({
      code: 503,
      reason: 'PriceStale',
      message: expect.stringMatching(/^There is no up-to-date price for this token\. Try again/),
    })
    expect((await app.client.call(saleContract.getPrices, {})).body).toEqual({})
    expect((await app.client.call(saleContract.getActiveStage, {})).status).toBe(200)
    const chart = await app.client.call(saleContract.getPriceChart, { query: {} })
    expect(chart.body.price_chart.length).toBeGreaterThan(0)
    const body = { purchase_token_id: 'eth', purchase_amount: 100 }
    expect((await app.client.call(saleContract.calculateBonus, { body })).status).toBe(200)
    const credentials = { email: buyer.email, password: buyer.password }
    const from = { remoteAddress: anAddress() }
    expect((await app.client.call(authContract.login, { body: credentials }, from)).status).toBe(
      200,
    )
    await pay(app, bought)
    await mine(app, 2)
    expect(await lookAt(app, buyer, bought)).toMatchObject({ status: 'completed' })

    app.services.priceSource = priceSource
    await app.passTime(11_000)
    await refreshPrices(app.services)
    expect((await tryToBuy(app, buyer)).status).toBe(201)
  })
})

test('a price of zero is ignored, without affecting the others', async () => {
  const { priceSource } = app.services
  app.services.priceSource = {
    fetchPrices: async (tokens) =>
      new Map(await priceSource.fetchPrices(tokens)).set('ETH', { price: price(0n), sources: [] }),
  }
  await app.passTime(TOO_OLD_MS)
  await refreshPrices(app.services)
  expect((await tryToBuy(app, buyer, { token: 'eth' })).refusal.reason).toBe('PriceStale')
  expect((await tryToBuy(app, buyer, { token: 'btc' })).status).toBe(201)
  const { body } = await app.client.call(saleContract.getPrices, {})
  expect(body).not.toHaveProperty('ETH')
  expect(body).toHaveProperty('BTC')
})
