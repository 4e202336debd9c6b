import { afterEach, describe, expect, it } from 'vitest'

import { saleContract } from '#contract/sale.ts'
import { price } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  mine,
  pay,
  quickSale,
  reorganise,
  setPaused,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) {
    await expectAllWell(app)
    await app.close()
  }
})

async function open(changeSale: (sale: Sale) => Sale = (sale) => sale): Promise<TestApp> {
  const app = await startApp({ changeSale: (sale) => changeSale(quickSale(sale)) })
  apps.push(app)
  return app
}

const later = (ms: number) => new Date(Date.now() + ms)
const stagesOf = async ({ client }: TestApp) =>
  (await client.call(saleContract.listStages, {})).body
const statusesOf = async (app: TestApp) => (await stagesOf(app)).map(({ status }) => status)
const rising = smallStages({ type: 'dynamic', finalTokenPrice: price(2n * 10n ** 12n) })

describe('the list of stages', () => {
  it('has all six of the shipped sale, in order, for everybody', async () => {
    const app = await open()
    const stages = await stagesOf(app)
    expect(stages.map(({ id, name, type }) => `${id} ${name} ${type}`)).toEqual([
      'stage-1 Stage 1 dynamic',
      'stage-2 Stage 2 fixed',
      'stage-3 Stage 3 fixed',
      'stage-4 Stage 4 fixed',
      'stage-5 Stage 5 fixed',
      'stage-6 Stage 6 dynamic',
    ])
    const active = await app.client.call(saleContract.getActiveStage, {})
    expect(stages[0]).toEqual({
      id: 'stage-1',
      name: 'Stage 1',
      type: 'dynamic',
      token_price: 0.0001,
      final_token_price: 0.00012,
      current_token_price: 0.0001,
      total_tokens: 800_000_000_000,
      sold_tokens: 0,
      is_sold_out: false,
      start_date: active.body.start_date,
      end_date: active.body.end_date,
      status: 'active',
      vesting: null,
    })
    expect(stages[1]).toMatchObject({ token_price: 0.00014, final_token_price: 0.00014 })
    const { as } = await aUser(app)
    expect((await app.client.call(saleContract.listStages, {}, as)).body).toEqual(stages)
  })

  it('has what is sold, and the price of the moment beside those at both ends', async () => {
    const app = await open(rising)
    const buyer = await aUser(app)
    await buyAndPay(app, buyer, { usd: 500 })
    expect((await stagesOf(app))[0]).toMatchObject({
      token_price: 1,
      final_token_price: 2,
      current_token_price: 1.5,
      total_tokens: 1000,
      sold_tokens: 500,
      status: 'active',
    })
  })

  it('has none that is open before the start', async () => {
    const app = await open(smallStages({ startsAt: later(60 * MINUTE_MS) }))
    expect(await statusesOf(app)).toEqual(['upcoming', 'upcoming'])
  })

  it('has none that is open between two stages', async () => {
    const app = await open(
      smallStages({ endsAt: later(MINUTE_MS) }, { startsAt: later(5 * MINUTE_MS), endsAt: null }),
    )
    await app.passTime(2 * MINUTE_MS)
    expect(await statusesOf(app)).toEqual(['ended', 'upcoming'])
    await app.passTime(4 * MINUTE_MS)
    expect(await statusesOf(app)).toEqual(['ended', 'active'])
  })

  it('has the next one open as soon as one is sold out, and not when all is only reserved', async () => {
    const app = await open(smallStages())
    const purchase = await aPurchase(app, await aUser(app), { usd: 1000 })
    expect(await statusesOf(app)).toEqual(['active', 'upcoming'])
    await pay(app, purchase)
    await mine(app, 2)
    expect(await statusesOf(app)).toEqual(['ended', 'active'])
    await reorganise(app, 5)
    expect(await statusesOf(app)).toEqual(['ended', 'active'])
  })

  it('has one sold out once less than a cent of it is left, and not when its time is up', async () => {
    const app = await open(
      smallStages({ endsAt: later(MINUTE_MS) }, { startsAt: later(0), endsAt: later(MINUTE_MS) }),
    )
    await buyAndPay(app, await aUser(app), { usd: 999.995 })
    const soldOutOf = async () =>
      (await stagesOf(app)).map(({ status, is_sold_out }) => ({ status, is_sold_out }))
    expect((await stagesOf(app))[0]?.sold_tokens).toBe(999.995)
    expect(await soldOutOf()).toEqual([
      { status: 'ended', is_sold_out: true },
      { status: 'active', is_sold_out: false },
    ])
    await app.passTime(2 * MINUTE_MS)
    expect(await soldOutOf()).toEqual([
      { status: 'ended', is_sold_out: true },
      { status: 'ended', is_sold_out: false },
    ])
  })

  it('has the open one paused with the sale', async () => {
    const app = await open(smallStages())
    await setPaused(app, true)
    expect(await statusesOf(app)).toEqual(['paused', 'upcoming'])
  })

  it('has all ended once the sale is over', async () => {
    const app = await open(
      smallStages(
        { endsAt: later(MINUTE_MS) },
        { startsAt: later(MINUTE_MS), endsAt: later(2 * MINUTE_MS) },
      ),
    )
    await app.passTime(3 * MINUTE_MS)
    expect(await statusesOf(app)).toEqual(['ended', 'ended'])
  })
})
