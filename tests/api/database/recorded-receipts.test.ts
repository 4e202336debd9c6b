import { afterAll, beforeAll, expect, it } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import { listReceipts, recordReceipts } from '#server/database/purchases/receipts.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('a receipt needs no more confirmations when it is read again, unless it brings more', async () => {
  const { id: purchaseId } = await aPurchase(app, await aUser(app))
  const { database } = app.open
  const record = async (amount: bigint, confirmations: number, requiredConfirmations: number) => {
    const receipt = {
      purchaseId,
      chain: 'sandbox',
      transactionHash: 'read-again',
      index: 0,
      paymentTokenId: 'eth',
      asset: null,
      amount: cryptoAmount(amount),
      blockHeight: 1n,
      isGone: false,
      confirmations,
      requiredConfirmations,
      seenAt: app.clock.now(),
      market: null,
    }
    await database.transaction().execute((transaction) => recordReceipts(transaction, [receipt]))
    return (await listReceipts(database, [purchaseId])).get(purchaseId)
  }
  const confirmed = { state: 'confirmed', confirmations: 2, requiredConfirmations: 2 }
  expect(await record(5n, 2, 2)).toMatchObject([confirmed])
  expect(await record(5n, 7, 12)).toMatchObject([confirmed])
  expect(await record(9n, 7, 12)).toMatchObject([
    { state: 'seen', confirmations: 7, requiredConfirmations: 12, wasConfirmed: true },
  ])
})
