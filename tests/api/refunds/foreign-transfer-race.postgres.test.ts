import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { foreignTransfersContract } from '#contract/operator/foreign-transfers.ts'
import { cryptoAmount } from '#domain/money.ts'
import { mineSandboxBlocks, sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectAllWell, mine, pay, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listForeign, listRefunds, named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { expectWaiting } from '#tests/kit/servers/database.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterAll(() => app.close())

test('a transfer that is taken up while a block is recorded is owed once it is confirmed', async () => {
  const { database } = app.open
  const buyer = await aUser(app)
  const [paid, other] = [await aPurchase(app, buyer), await aPurchase(app, buyer)]
  await pay(app, paid)
  await sendSandboxTransfer(database, {
    transactionHash: randomUUID(),
    address: other.payment_address ?? '',
    paymentTokenId: null,
    foreign: { name: '0xfa', token: { symbol: 'USDC', isHeld: true } },
    amount: cryptoAmount(100n),
    sentAt: app.clock.now(),
  })
  await mine(app)
  const [transfer] = (await listForeign(app)).data
  const id = transfer?.id ?? ''
  await mineSandboxBlocks(database, 1, app.clock.now())
  let watching: Promise<unknown> = Promise.resolve()
  await database.transaction().execute(async (transaction) => {
    await transaction.insertInto('settlements_due').values({ purchase_id: paid.id }).execute()
    watching = watchChains(app.services)
    await expectWaiting(database, 1)
    const input = { params: { id }, headers: named, body: { reason: 'As its sender says' } }
    const reply = await app.client.call(
      foreignTransfersContract.oweForeignTransfer,
      input,
      operator,
    )
    expect(reply.body).toMatchObject({ state: 'owed' })
  })
  await watching
  await mine(app)
  expect((await listRefunds(app)).data).toMatchObject([{ receipt_id: id, amount: '100' }])
  await expectAllWell(app)
})
