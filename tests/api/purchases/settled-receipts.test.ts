import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount, parseDecimal } from '#domain/money.ts'
import { checkInvariants } from '#server/database/books/check-books.ts'
import {
  mineSandboxBlocks,
  replaceSandboxBlocks,
  sendSandboxTransfer,
} from '#server/database/rails/sandbox-chain.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { recordChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, buyAndPay, expectAllWell, lookAt, pay } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** A buyer looks after a chain was read, and before the result has been settled. */
let app: TestApp
let buyer: SeededUser
let address: string
beforeAll(async () => {
  app = await startApp()
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const [one] = await manyUsers(app.open.database, 1)
  if (one === undefined) throw new Error('There is no user.')
  buyer = one
})
afterEach(async () => {
  await expectAllWell(app)
})
afterAll(() => app.close())

/** The purchase by itself, in the list, and in the live events. */
async function lookEverywhere(purchase: Transaction): Promise<Transaction[]> {
  const input = { params: { id: buyer.id }, query: {} }
  const list = (await app.client.call(usersContract.listTransactions, input, buyer.as)).body.data
  const listed = list.filter(({ id }) => id === purchase.id)
  const events = await readEvents(address, buyer.as.accessToken)
  app.services.live.notifyLocal({ kind: 'purchase', userId: buyer.id, transactionId: purchase.id })
  const event = await events.next(
    'transaction',
    ({ transaction }) => transaction.id === purchase.id,
  )
  events.close()
  return [await lookAt(app, buyer, purchase), ...listed, event.transaction]
}

const everywhere = (shown: object) => [shown, shown, shown]

it('a payment does not show before it counts, so that nobody pays again', async () => {
  const purchase = await aPurchase(app, buyer)
  await sendSandboxTransfer(app.open.database, {
    transactionHash: randomUUID(),
    address: purchase.payment_address ?? '',
    paymentTokenId: 'eth',
    amount: cryptoAmount(parseDecimal(purchase.payment_amount ?? '', 18) ?? 0n),
    sentAt: app.clock.now(),
  })
  await recordChains(app.services)
  expect(await lookEverywhere(purchase)).toMatchObject(everywhere(purchase))
  await settleDue(app.services)
  const receipts = [{ amount: purchase.payment_amount, confirmations: 0 }]
  expect(await lookEverywhere(purchase)).toMatchObject(
    everywhere({ status: 'processing', payment_amount: '0', receipts }),
  )
})

it('the last confirmation shows together with the completion', async () => {
  const purchase = await aPurchase(app, buyer)
  await pay(app, purchase)
  await mineSandboxBlocks(app.open.database, 2, app.clock.now())
  await recordChains(app.services)
  const before = { confirmations: 0, receipts: [{ confirmations: 0 }] }
  expect(await lookEverywhere(purchase)).toMatchObject(
    everywhere({ status: 'processing', ...before }),
  )
  await settleDue(app.services)
  const after = { confirmations: 2, receipts: [{ confirmations: 2 }] }
  expect(await lookEverywhere(purchase)).toMatchObject(
    everywhere({ status: 'completed', ...after }),
  )
})

it('a payment that is gone stays until its tokens are taken back', async () => {
  const purchase = await buyAndPay(app, buyer)
  await replaceSandboxBlocks(app.open.database, 5, app.clock.now())
  await recordChains(app.services)
  expect(await lookEverywhere(purchase)).toMatchObject(everywhere(purchase))
  await settleDue(app.services)
  expect(await lookEverywhere(purchase)).toMatchObject(
    everywhere({ status: 'pending', status_reason: 'reorged', receipts: [] }),
  )
})

/** As if settling had not written what is shown. */
async function clearShown(): Promise<void> {
  await sql`update receipts set settled_amount = null, settled_confirmations = null`.execute(
    app.open.database,
  )
}

it('the guard finds a payment that is hidden from its buyer', async () => {
  const { database } = app.open
  await buyAndPay(app, buyer)
  await clearShown()
  const { breaches } = await checkInvariants(database, 10_000)
  expect([...new Set(breaches.map(({ check }) => check))]).toEqual(['receipts_are_shown'])
  await sql`
    update receipts set settled_amount = amount, settled_confirmations = confirmations
    where not is_gone`.execute(database)
})
