import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Sale } from '#domain/sale/sale.ts'
import { aPurchase, expectAllWell, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** The clock of an instance stands still while its machine does, until it asks the database. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: begunHoursAgo })
})
afterAll(async () => {
  await expectAllWell(app)
  await app.close()
})

function begunHoursAgo(sale: Sale): Sale {
  const startsAt = new Date(Date.now() - 2 * HOUR_MS)
  return {
    ...sale,
    stages: sale.stages.map((stage, n) => (n === 0 ? { ...stage, startsAt } : stage)),
  }
}

async function aBuyer(): Promise<SeededUser> {
  const [buyer] = await manyUsers(app.open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  return buyer
}

/** Prices that were fetched at this moment, by the instance's clock. */
async function haveFreshPrices(): Promise<void> {
  await app.open.database.updateTable('prices').set({ fetched_at: app.clock.now() }).execute()
  app.services.market.invalidate()
}

async function passTime(ms: number): Promise<void> {
  app.clock.pass(ms)
  await haveFreshPrices()
}

test('an instance that lives an hour ago sells nothing at the prices of then', async () => {
  const buyer = await aBuyer()
  await passTime(-HOUR_MS)
  const reply = await tryToBuy(app, buyer)
  expect(reply.refusal).toMatchObject({ code: 503, reason: 'Busy' })
  expect(reply.headers['retry-after']).toBe('1')
  await passTime(HOUR_MS)
  expect((await tryToBuy(app, buyer)).status).toBe(201)
})

test('a purchase that was quoted an hour before it is booked is quoted again', async () => {
  const buyer = await aBuyer()
  const from = Date.now()
  const { bookPurchase } = app.services
  app.services.bookPurchase = async (request) => {
    app.services.bookPurchase = bookPurchase
    await passTime(HOUR_MS)
    return await bookPurchase(request)
  }
  await passTime(-HOUR_MS)
  const purchase = await aPurchase(app, buyer)
  expect(Date.parse(purchase.created_date)).toBeGreaterThan(from - MINUTE_MS)
})
