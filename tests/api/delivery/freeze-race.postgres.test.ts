import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  buyAndPay,
  expectInvariants,
  mine,
  pay,
  aPurchase,
} from '#tests/kit/builders/a-purchase.ts'
import { aKey, tryToPaste } from '#tests/kit/delivery/a-wallet.ts'
import {
  endingSale,
  giveWallet,
  passEnd,
  snapshotsOf,
  STAGE_MS,
  tryToCorrect,
  tryToFreeze,
} from '#tests/kit/delivery/frozen-sale.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { checkInvariants } from '#server/database/books/check-books.ts'
import { holdSnapshots } from '#server/database/delivery/wallets.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aUser, aVerifiedUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: endingSale })
})
afterAll(() => app.close())

test('a snapshot has what was settled before it, and nothing of what comes after', async () => {
  const buyer = await aUser(app)
  const settled = await buyAndPay(app, buyer)
  await app.passTime(STAGE_MS - 20_000)
  await refreshPrices(app.services)
  const waiting = await aPurchase(app, buyer)
  await app.passTime(21_000)
  await refreshPrices(app.services)
  await pay(app, waiting)
  // The confirmation, the books and an operator at one moment, over and over.
  const input = { params: { id: settled.id }, headers: named, body: { reason: 'A race' } }
  const [, first, , second] = await Promise.all([
    mine(app, 2),
    tryToFreeze(app),
    app.client.call(operatorContract.failPurchase, input, operator),
    tryToFreeze(app),
  ])
  expect([first.status, second.status].filter((status) => status === 200).length).toBeLessThan(2)
  await passEnd(app)
  const last = await tryToFreeze(app)
  const report = await snapshotsOf(app)
  expect(report.snapshots).toHaveLength(1)
  const [snapshot] = report.snapshots
  // Whatever came first: the snapshot is the present, or it is said that it is not.
  expect(snapshot?.tokens === report.owned).toBe(report.movements === 0)
  expect([200, 409]).toContain(last.status)
  await expectInvariants(app)
})

test('of several at once one is written, and of corrections too', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => tryToFreeze(app)))
  expect(replies.map(({ status }) => status)).toEqual([409, 409, 409])
  const before = (await snapshotsOf(app)).snapshots.length
  const settle = { headers: named, body: { reason: 'A race' } }
  const [purchase] = await app.open.database
    .selectFrom('purchases')
    .select('id')
    .where('status', '=', 'completed')
    .execute()
  if (purchase !== undefined) {
    await app.client.call(
      operatorContract.failPurchase,
      { params: { id: purchase.id }, ...settle },
      operator,
    )
  }
  const corrected = await Promise.all([1, 2, 3].map((nth) => tryToCorrect(app, `Race ${nth}`)))
  const written = corrected.filter(({ status }) => status === 200).length
  expect(written).toBeLessThan(2)
  expect((await snapshotsOf(app)).snapshots).toHaveLength(before + written)
  await expectInvariants(app)
})

test('while a large snapshot is written the books are checked and no wallet is set, and none waits', async () => {
  const slow = await startApp({ changeSale: endingSale })
  try {
    const { database } = slow.open
    await buyAndPay(slow, await aUser(slow))
    await passEnd(slow)
    const [early, late] = [await aVerifiedUser(slow), await aVerifiedUser(slow)]
    const releaseCounters = await hold(database, lockStageCounters)
    const setEarly = await hold(database, holdSnapshots, async (transaction) => {
      const open = { ...slow.open, database: transaction }
      await giveWallet({ ...slow, open }, early.user.id, aKey().address)
    })
    const freezing = tryToFreeze(slow)
    await expectWaiting(database, 1)
    await setEarly()
    const begun = performance.now()
    const { refusal } = await tryToPaste(slow, late, aKey().address)
    expect(refusal.message).toContain('A snapshot of who owns the tokens is being written')
    expect(performance.now() - begun).toBeLessThan(5_000)
    // Its rows are written, and it waits for what it locks last.
    await expectWaiting(database, 1)
    expect((await checkInvariants(database, 10_000)).notRun).toEqual([])
    await releaseCounters()
    expect((await freezing).status).toBe(200)
  } finally {
    await slow.close()
  }
})
