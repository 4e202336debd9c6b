import { afterEach, describe, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { startWorkers } from '#server/workers/start-workers.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  lookAt,
  mine,
  pay,
  quickSale,
  reorganise,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { type EventReader, readEvents } from '#tests/kit/servers/read-events.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const SECOND_MS = 1_000
/** A second of the worker, a second for which the server keeps what it has read, and some. */
const REPORTED_WITHIN_MS = 3_000

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function open(changeSale: (sale: Sale) => Sale): Promise<[TestApp, SeededUser]> {
  const app = await startApp({ changeSale: (sale) => changeSale(quickSale(sale)) })
  closers.push(async () => {
    await expectAllWell(app)
    await app.close()
  })
  const [user] = await manyUsers(app.open.database, 1)
  if (user === undefined) throw new Error('There is no user.')
  return [app, user]
}

const later = (ms: number) => new Date(Date.now() + ms)
const activeStage = ({ client }: TestApp) => client.call(saleContract.getActiveStage, {})

describe('a gap between two stages', () => {
  /** The first stage ends in a minute, the second begins four minutes later. */
  const gap = () => {
    const [endsAt, startsAt] = [later(MINUTE_MS), later(5 * MINUTE_MS)]
    return { startsAt, changeSale: smallStages({ endsAt }, { startsAt }) }
  }

  test('reports when the next one starts, and sells nothing until then', async () => {
    const { startsAt, changeSale } = gap()
    const [app, buyer] = await open(changeSale)
    await app.passTime(MINUTE_MS)
    const expected = {
      code: 404,
      reason: 'SaleNotStarted',
      message: 'The next stage of the token sale has not started yet',
      starts_date: startsAt.toISOString(),
      is_between_stages: true,
    }
    expect((await activeStage(app)).refusal).toMatchObject(expected)
    expect((await tryToBuy(app, buyer)).refusal).toMatchObject(expected)
    await app.passTime(4 * MINUTE_MS)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2' })
  })

  test('stays when a payment that is settled in it sells the rest of the first', async () => {
    const [app, buyer] = await open(gap().changeSale)
    const rest = await aPurchase(app, buyer, { usd: 1000 })
    await pay(app, rest)
    await app.passTime(MINUTE_MS)
    await mine(app, 2)
    expect(await lookAt(app, buyer, rest)).toMatchObject({ status: 'completed' })
    expect((await activeStage(app)).refusal.reason).toBe('SaleNotStarted')
    await app.passTime(4 * MINUTE_MS)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2', token_price: 2 })
  })

  test('is not there when the first sold out in time, not even after what is taken back', async () => {
    const [app, buyer] = await open(gap().changeSale)
    await buyAndPay(app, buyer, { usd: 1000 })
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2' })
    await app.passTime(MINUTE_MS)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2' })
    await reorganise(app, 5)
    expect((await activeStage(app)).body).toMatchObject({ name: 'Stage 2' })
  })
})

describe('a page that is open', () => {
  async function listen(app: TestApp, { as }: SeededUser): Promise<EventReader> {
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const reader = await readEvents(address, as.accessToken)
    closers.push(() => reader.close())
    return reader
  }

  /** Sets the clock to shortly before an instant. */
  const passUntilBefore = ({ clock }: TestApp, instant: Date) =>
    clock.pass(instant.getTime() - clock.now().getTime() - SECOND_MS)
  const lateness = ({ clock }: TestApp, instant: Date) => clock.now().getTime() - instant.getTime()

  test('is reported when a stage ends by its date, and when the sale does', async () => {
    const boundary = later(5 * MINUTE_MS)
    const endsAt = later(10 * MINUTE_MS)
    const [app, user] = await open(
      smallStages({ endsAt: boundary }, { startsAt: boundary, endsAt }),
    )
    const events = await listen(app, user)
    closers.push(startWorkers(app.services))

    passUntilBefore(app, boundary)
    const opened = await events.next('stage')
    expect(opened.stage).toMatchObject({ name: 'Stage 2', token_price: 2 })
    expect(lateness(app, boundary)).toBeLessThan(REPORTED_WITHIN_MS)
    passUntilBefore(app, endsAt)
    const ended = await events.next('stage')
    expect(ended.stage).toBeNull()
    expect(lateness(app, endsAt)).toBeLessThan(REPORTED_WITHIN_MS)
    expect((await activeStage(app)).refusal.reason).toBe('SaleEnded')
  })

  test('is reported when the sale starts', async () => {
    const startsAt = later(5 * MINUTE_MS)
    const [app, user] = await open(smallStages({ startsAt }))
    const events = await listen(app, user)
    closers.push(startWorkers(app.services))
    passUntilBefore(app, startsAt)
    expect((await events.next('stage')).stage).toMatchObject({ name: 'Stage 1' })
    expect(lateness(app, startsAt)).toBeLessThan(REPORTED_WITHIN_MS)
  })

  test('is reported when the sale is paused and resumed, at any instance', async () => {
    const [app, user] = await open(smallStages())
    const events = await listen(app, user)
    const operator = { accessToken: OPERATOR_TOKEN }
    const other = await startApp({
      open: app.open,
      changeSale: (sale) => smallStages()(quickSale(sale)),
    })
    closers.push(() => other.close())
    const body = { reason: 'A test' }
    await other.client.call(operatorContract.pauseSale, { body }, operator)
    expect((await events.next('stage')).stage).toBeNull()
    expect((await activeStage(app)).refusal.reason).toBe('SalePaused')
    await other.client.call(operatorContract.resumeSale, { body: {} }, operator)
    expect((await events.next('stage')).stage).toMatchObject({ name: 'Stage 1' })
  })
})
