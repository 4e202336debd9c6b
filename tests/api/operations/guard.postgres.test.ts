import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { checkInvariants } from '#server/database/books/broken-invariants.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { aPurchase, mine, part, pay, quickSale, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const BUYERS = 40
const ROUNDS = 5

let app: TestApp
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterEach(() => app.close())

test('a sale in full swing never looks broken', async () => {
  const buyers = await manyUsers(app.open.database, BUYERS)
  const selling = { isOver: false }
  let checks = 0
  const guarding = (async () => {
    while (!selling.isOver) {
      const { breaches, notRun } = await inspectInvariants(app.services)
      expect({ breaches, notRun }).toEqual({ breaches: [], notRun: [] })
      checks += 1
    }
  })()
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      buyers.map(async (buyer, index) => {
        const purchase = await aPurchase(app, buyer, { usd: 20 + index })
        await pay(app, purchase, part(purchase, [0.5, 1, 1.5][index % 3] ?? 1))
      }),
    )
    await mine(app, 2)
  }
  selling.isOver = true
  await guarding
  expect(checks).toBeGreaterThan(ROUNDS)
  const [first] = buyers
  expect(first && (await tryToBuy(app, first, { usd: 20 })).status).toBe(201)
  expect(app.complaints).toEqual([])
})

test('a check that takes too long is given up, and the others are made', async () => {
  let letGo = () => {}
  const released = new Promise<void>((resolve) => (letGo = resolve))
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => (onLocked = resolve))
  const locking = app.open.database.transaction().execute(async (transaction) => {
    await sql`lock table purchase_status_history in access exclusive mode`.execute(transaction)
    onLocked()
    await released
  })
  await locked
  const { breaches, notRun } = await checkInvariants(app.open.database, 300)
  letGo()
  await locking
  expect(breaches).toEqual([])
  expect(notRun).toEqual([
    { check: 'history_tells_status', fault: expect.stringContaining('statement timeout') },
  ])
})
