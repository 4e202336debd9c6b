import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { percentage, usd } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { createStageWatch } from '#server/use-cases/sale/watch-stage-changes.ts'
import {
  aPurchase,
  expectInvariants,
  passExpiry,
  pay,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { NO_BONUSES, smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** A stage of 1,000 tokens for a dollar each, served by two instances. */
let app: TestApp
let other: TestApp
let buyer: SeededUser
beforeEach(async () => {
  const limits = { minUsd: usd(10_000_000n), maxUsd: usd(1_000_000_000n) }
  const changeSale = smallStages({ bonuses: NO_BONUSES, ...limits })
  app = await startApp({ changeSale })
  other = await startApp({ changeSale, open: app.open })
  const [one] = await manyUsers(app.open.database, 1)
  if (one === undefined) throw new Error('There is no user.')
  buyer = one
})
afterEach(async () => {
  await expectInvariants(app)
  expect([...app.complaints, ...other.complaints]).toEqual([])
  await other.close()
  await app.close()
})

async function preview({ client }: TestApp, usdAmount: number) {
  const body = { purchase_amount: usdAmount, purchase_token_id: 'eth' }
  return await client.call(saleContract.calculateBonus, { body }, buyer.as)
}

/** The minimums of the stage and of the payment token. */
async function minimums({ client }: TestApp): Promise<(number | null)[]> {
  const stage = await client.call(saleContract.getActiveStage, {})
  const token = await client.call(saleContract.getTokenMinimum, { params: { id: 'eth' } })
  return [stage.body.min_fiat_amount, token.body.min_amount_fiat]
}

/** Everything that an instance may keep of the sale is from before what comes next. */
async function lookEverywhere(): Promise<void> {
  for (const instance of [app, other]) {
    expect((await preview(instance, 10)).status).toBe(200)
    expect(await minimums(instance)).toEqual([10, 10])
  }
}

describe('right after a purchase', () => {
  it('its buyer learns what is left by a preview, at every instance', async () => {
    await lookEverywhere()
    await aPurchase(app, buyer, { usd: 995 })
    for (const instance of [other, app]) {
      expect((await preview(instance, 10)).refusal.message).toBe(
        'Only $5 worth of tokens are left right now',
      )
    }
    await aPurchase(app, buyer, { usd: 5 })
    for (const instance of [other, app]) {
      expect((await preview(instance, 10)).refusal.message).toBe('No tokens are left right now')
    }
  })

  it('the minimums have given way to what is left', async () => {
    await lookEverywhere()
    await aPurchase(app, buyer, { usd: 995 })
    expect(await minimums(app)).toEqual([5, 5])
  })

  it('the last remainder can be bought, at every instance', async () => {
    await lookEverywhere()
    await aPurchase(app, buyer, { usd: 992 })
    expect((await tryToBuy(other, buyer, { usd: 8 })).status).toBe(201)
  })

  it('what is refused is refused with what is left now, at every instance', async () => {
    await lookEverywhere()
    await aPurchase(app, buyer, { usd: 995 })
    expect((await tryToBuy(other, buyer, { usd: 1 })).refusal.message).toBe(
      "Can't spend less than $5",
    )
  })
})

it('another instance is notified of a purchase and reports what is left by then', async () => {
  await lookEverywhere()
  const heard = Promise.withResolvers<void>()
  other.services.live.subscribe(({ kind }) => kind === 'purchase' && heard.resolve())
  await aPurchase(app, buyer, { usd: 995 })
  await heard.promise
  expect(await minimums(other)).toEqual([5, 5])
})

it('an expiry gives back to previews what it gave back to the stage', async () => {
  await aPurchase(app, buyer, { usd: 995 })
  expect((await preview(other, 100)).refusal.reason).toBe('NoTokensLeft')
  await passExpiry(app)
  expect((await preview(other, 100)).status).toBe(200)
})

describe('what others reserve', () => {
  it('is sent to every page, and what they release, as the stage shows it', async () => {
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const events = await readEvents(address, buyer.as.accessToken)
    const lookEachSecond = createStageWatch()
    await lookEachSecond(app.services)
    await aPurchase(app, buyer, { usd: 995 })
    await lookEachSecond(app.services)
    expect((await events.next('stage')).stage?.min_fiat_amount).toBe(5)
    await passExpiry(app)
    await lookEachSecond(app.services)
    expect((await events.next('stage')).stage?.min_fiat_amount).toBe(10)
    events.close()
  })

  it('is sent to nobody while the largest purchase still fits', async () => {
    const [stage] = other.services.sale.stages
    if (stage === undefined) throw new Error('A sale has a stage.')
    const sale = { ...other.services.sale, stages: [{ ...stage, maxUsd: usd(50_000_000n) }] }
    const sent: string[] = []
    app.services.live.subscribe(({ kind }) => sent.push(kind))
    const lookEachSecond = createStageWatch()
    const look = () => lookEachSecond({ ...app.services, sale })
    await look()
    await aPurchase(app, buyer, { usd: 950 })
    await look()
    expect(sent).not.toContain('stage')
    await aPurchase(app, buyer, { usd: 10 })
    await look()
    expect(sent).toContain('stage')
  })

  it('is sent for a share that waits for payments, and once somebody paid', async () => {
    const { sale } = app.services
    const [stage] = sale.stages
    if (stage === undefined) throw new Error('A sale has a stage.')
    const shared: Sale = {
      ...sale,
      stages: [{ ...stage, maxUsd: usd(300_000_000n) }],
      purchases: { ...sale.purchases, unpaidShare: percentage(500_000n) },
    }
    let sent = 0
    app.services.live.subscribe(({ kind }) => (sent += kind === 'stage' ? 1 : 0))
    const lookEachSecond = createStageWatch()
    const look = () => lookEachSecond({ ...app.services, sale: shared })
    await look()
    await aPurchase(app, buyer, { usd: 200 })
    await look()
    expect(sent, 'the largest purchase fits into the rest of the share').toBe(0)
    const paid = await aPurchase(app, buyer, { usd: 100 })
    await look()
    expect(sent).toBe(1)
    await pay(app, paid)
    await look()
    expect(sent).toBe(2)
    await passExpiry(app)
    await look()
    expect(sent).toBe(3)
    await look()
    expect(sent).toBe(3)
  })
})
