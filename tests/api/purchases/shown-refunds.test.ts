import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount } from '#domain/money.ts'
import { TERMS_DATE } from '#domain/sale/terms.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import {
  aPurchase,
  expectAllWell,
  lookAt,
  mine,
  part,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase, payRefund } from '#tests/kit/builders/an-operator.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** What a buyer is shown of money that goes back, and of where it came from. */
let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

/** The purchase by itself and in the list, which show the same. */
async function look(purchase: Transaction): Promise<Transaction> {
  const input = { params: { id: buyer.user.id }, query: {} }
  const { data } = (await app.client.call(usersContract.listTransactions, input, buyer.as)).body
  const shown = await lookAt(app, buyer, purchase)
  expect(data.find(({ id }) => id === purchase.id)).toEqual(shown)
  return shown
}

it('a refund is due, and then paid, in the list, the dialog and the live events', async () => {
  const { purchase, receiptId } = await anOwedPurchase(app, buyer)
  const due = {
    amount: part(purchase, 0.05),
    symbol: 'ETH',
    chain: 'ERC20',
    status: 'due',
    why: 'underpaid',
    transaction_hash: null,
    explorer_url: null,
  }
  expect(await look(purchase)).toMatchObject({ status: 'failed', refunds: [due] })

  const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const events = await readEvents(address, buyer.as.accessToken)
  await payRefund(app, receiptId, 'the-hash-that-paid')
  const paid = { ...due, status: 'paid', transaction_hash: 'the-hash-that-paid' }
  const { transaction } = await events.next('transaction')
  events.close()
  expect(transaction).toMatchObject({ id: purchase.id, refunds: [paid] })
  expect(await look(purchase)).toEqual(transaction)
})

it('a coin that the sale does not know is owed back without a symbol', async () => {
  const purchase = await aPurchase(app, buyer)
  await sendSandboxTransfer(app.open.database, {
    transactionHash: randomUUID(),
    address: purchase.payment_address ?? '',
    paymentTokenId: null,
    amount: cryptoAmount(123_456_789n),
    sentAt: app.clock.now(),
  })
  await mine(app, 2)

  const unknown = {
    amount: '123456789',
    symbol: null,
    chain: null,
    status: 'due',
    why: 'wrong_asset',
  }
  expect(await look(purchase)).toMatchObject({ receipts: [], refunds: [unknown] })
})

it('thousands of specks of another coin hide no refund in the coin of the purchase', async () => {
  const { purchase } = await anOwedPurchase(app, buyer)
  // The statement is planned for good at its sixth call, when there are few receipts.
  await sql`analyze`.execute(app.open.database)
  for (let nth = 1; nth <= 6; nth += 1) await look(purchase)
  await sql`
    with specks as (
      insert into receipts (
        id, purchase_id, chain, transaction_hash, output_index, amount,
        required_confirmations, seen_at, booked, settled_amount, settled_confirmations
      )
      select gen_random_uuid(), ${purchase.id}::uuid, 'sandbox', 'specks', nth, 1000000, 2, now(),
        1000000, 1000000, 0
      from generate_series(1, 3000) as nth
      returning id, purchase_id, amount
    )
    insert into refunds_due (receipt_id, purchase_id, amount, why, since)
    select id, purchase_id, 1, 'wrong_asset', '2000-01-01' from specks`.execute(app.open.database)

  const { refunds } = await lookAt(app, buyer, purchase)
  expect(refunds).toHaveLength(200)
  expect(refunds.filter(({ symbol }) => symbol === 'ETH')).toHaveLength(1)
  await sql`delete from refunds_due where why = 'wrong_asset'`.execute(app.open.database)
  await sql`delete from receipts where transaction_hash = 'specks'`.execute(app.open.database)
})

it('a receipt has the hash of its transaction, a purchase its stage and the day of its terms', async () => {
  const purchase = await aPurchase(app, buyer)
  const stage = await app.client.call(saleContract.getActiveStage, {})
  const bought = { refunds: [], stage_id: stage.body.id, terms_date: TERMS_DATE }
  expect(purchase).toMatchObject(bought)
  await pay(app, purchase)
  await mine(app)
  const { rows } = await sql<{ transaction_hash: string }>`
    select transaction_hash from sandbox_transfers`.execute(app.open.database)
  expect((await look(purchase)).receipts).toMatchObject(rows)
})

it('the day of the terms stays with a purchase whatever day later ones have', async () => {
  const purchase = await aPurchase(app, buyer)
  await sql`update purchases set terms_date = '2020-02-02'`.execute(app.open.database)
  const later = await aPurchase(app, buyer)
  await pay(app, purchase)
  await mine(app, 2)
  expect(await look(purchase)).toMatchObject({ status: 'completed', terms_date: '2020-02-02' })
  expect(await look(later)).toMatchObject({ terms_date: TERMS_DATE })
})
