import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Transaction } from '#contract/shapes.ts'
import { ownExportContract } from '#contract/export.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount } from '#domain/money.ts'
import { createPayoutRecord } from '#server/database/rails/payout-record.ts'
import { recordUnmatched } from '#server/database/purchases/unmatched-transfers.ts'
import { aPurchase, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const SPECKS = 3_000
const SHOWN_MAX = 200

let open: TestDatabase
let app: TestApp
let buyer: RegisteredUser
let purchase: Transaction
beforeAll(async () => {
  open = await openTestDatabase()
  app = await startApp({ open })
  buyer = await aUser(app)
  purchase = await aPurchase(app, buyer)
  // A payment that comes after thousands of specks, among which one is of another asset and larger.
  await sql`
    insert into receipts (
      id, purchase_id, chain, transaction_hash, output_index, payment_token_id, amount,
      required_confirmations, seen_at, is_gone, settled_amount, settled_confirmations
    )
    select
      gen_random_uuid(), ${purchase.id}::uuid, 'sandbox', 'specks', nth,
      case when nth = 7 then 'btc' else 'eth' end,
      case when nth in (7, 8, ${SPECKS}) then 1000000000000000000 else nth end,
      2, ${app.clock.now()}::timestamptz + nth * interval '1 ms', nth = 8,
      case when nth = ${SPECKS} then 1000000000000000000 when nth <> 8 then nth end, case when nth <> 8 then 0 end
    from generate_series(1, ${SPECKS}::integer) as nth`.execute(open.database)
})
afterAll(async () => {
  await app.close()
  await open.close()
})

test('a purchase that thousands of specks were sent to shows the largest of them', async () => {
  const { receipts } = await lookAt(app, buyer, purchase)

  expect(receipts).toHaveLength(SHOWN_MAX)
  expect(receipts.filter(({ amount }) => amount === '1')).toHaveLength(1)
  expect(receipts.at(-1)?.amount).toBe('1')
  const seen = receipts.map(({ seen_date }) => seen_date)
  expect(seen).toEqual(seen.toSorted())
})

test('the list of transactions shows no more of it', async () => {
  const input = { params: { id: buyer.user.id }, query: {} }
  const { body } = await app.client.call(usersContract.listTransactions, input, buyer.as)
  expect(body.data[0]?.receipts).toHaveLength(SHOWN_MAX)
})

test('the export has all that are not gone', async () => {
  const input = { params: { id: buyer.user.id } }
  const { body } = await app.client.call(ownExportContract.exportUser, input, buyer.as)
  expect(body.transactions[0]?.receipts).toHaveLength(SPECKS - 2)
})

test('an address that belongs to no purchase may get as many as a few blocks hold', async () => {
  const transfer = {
    chain: 'sandbox',
    transactionHash: 'specks of nobody',
    address: 'nobody',
    paymentTokenId: 'eth',
    amount: cryptoAmount(1n),
    asset: null,
    blockHeight: null,
    isGone: false,
    seenAt: app.clock.now(),
  }
  const transfers = Array.from({ length: 9_000 }, (_, index) => ({ ...transfer, index }))
  await open.database
    .transaction()
    .execute((transaction) => recordUnmatched(transaction, transfers))
  const { count } = await open.database
    .selectFrom('unmatched_transfers')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(9_000n)
})

test('an address that a claim is paid to may get as many coins as a few blocks hold', async () => {
  const { coins } = createPayoutRecord(open.database, () => app.clock.now())
  const sent = { from: 'anybody', to: 'payee', amount: cryptoAmount(1n), height: 7n }
  const transfers = Array.from({ length: 11_000 }, (_, nth) => ({ ...sent, hash: `0x${nth}` }))
  await coins.keep('eip155:1', transfers)
  const { count } = await open.database
    .selectFrom('refund_coin_transfers')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(11_000n)
})
