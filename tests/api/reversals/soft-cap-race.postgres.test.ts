import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usd } from '#domain/money.ts'
import { requestSettlements, takeSettlements } from '#server/database/purchases/purchases.ts'
import { reverseForSoftCap } from '#server/database/purchases/reversals.ts'
import { mineSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { listUndecided } from '#server/use-cases/snapshots/list-undecided.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { recordChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  buyAndPay,
  expectInvariants,
  mine,
  part,
  pay,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { endingSale, passEnd, STAGE_MS } from '#tests/kit/delivery/frozen-sale.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeEach(async () => {
  const softCap = usd(1_000n * 10n ** 6n)
  app = await startApp({ changeSale: (sale) => ({ ...endingSale(sale), softCap }) })
})
afterEach(() => app.close())

const close = () =>
  app.client.call(
    operatorContract.closeSale,
    { headers: named, body: { reason: 'Too few took part' } },
    operator,
  )

/** The sale has ended, and the rest up to its soft cap is paid and not confirmed. */
async function aGrowingPurchase(): Promise<Transaction> {
  const purchase = await aPurchase(app, await aUser(app), { usd: 950 })
  await pay(app, purchase)
  await mine(app, 2)
  await app.passTime(STAGE_MS - 20_000)
  await refreshPrices(app.services)
  await pay(app, purchase, part(purchase, 0.1))
  await passEnd(app)
  return purchase
}

test('a sale is not closed by a sum that lacks what is being settled', async () => {
  const { database } = app.open
  await aGrowingPurchase()
  await mineSandboxBlocks(database, 2, app.clock.now())
  await recordChains(app.services)
  // Another process takes it, and dies before the end.
  const die = await hold(
    database,
    async (transaction) => await takeSettlements(transaction, 1),
    async () => await Promise.reject(new Error('It died')),
  )
  expect((await close()).refusal).toMatchObject({
    reason: 'Unavailable',
    message: expect.stringContaining('not settled yet') as string,
  })
  await expect(die()).rejects.toThrow('It died')

  const release = await hold(database, lockStageCounters)
  const settling = settleDue(app.services)
  await expectWaiting(database, 1)
  const closing = close()
  await expectWaiting(database, 2)
  await release()
  await settling
  expect((await closing).refusal.message).toContain('is reached')
  await expectInvariants(app)
})

test('a sale is not closed while a payment is confirmed meanwhile', async () => {
  const { database } = app.open
  const { id } = await aGrowingPurchase()
  // A chain is recorded while closing asks what is undecided.
  const recorded = await hold(database, async (transaction) => {
    await sql`lock table receipts in access exclusive mode`.execute(transaction)
    await transaction
      .updateTable('receipts')
      .set({ confirmations: 2 })
      .where('purchase_id', '=', id)
      .execute()
    await requestSettlements(transaction, [id])
  })
  const closing = close()
  await expectWaiting(database, 1)
  await recorded()
  expect((await closing).refusal.reason).toBe('Unavailable')
  await settleDue(app.services)
  expect((await close()).refusal.message).toContain('is reached')
})

test('a closed sale is not without anything undecided while its last purchases are being undone', async () => {
  const { database } = app.open
  const { id } = await buyAndPay(app, await aUser(app))
  await passEnd(app)
  expect((await close()).status).toBe(200)
  await inspectInvariants(app.services)
  // They are undone, and their settlements requested, while it is asked what is undecided.
  const undone = await hold(database, async (transaction) => {
    await sql`lock table sale in access exclusive mode`.execute(transaction)
    await requestSettlements(transaction, [id])
    await reverseForSoftCap(transaction, [id], app.clock.now())
  })
  const listing = listUndecided(app.services, database, { isFrozen: false })
  await expectWaiting(database, 1)
  await undone()
  expect(await listing).toMatchObject([{ kind: 'settlement', count: 1 }])
  await settleDue(app.services)
  await expectInvariants(app)
})
