import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxContract } from '#contract/sandbox.ts'
import { cryptoAmount } from '#domain/money.ts'
import { paymentTokenOf, type PaymentToken } from '#domain/sale/sale.ts'
import type { Payout, Payouts } from '#server/ports/payouts.ts'
import { expectAllWell, mine, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { nothingElse, payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
let payouts: Payouts
let eth: PaymentToken
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
  payouts = payoutsOf(app)
  const token = paymentTokenOf(app.services.sale, 'eth')
  if (token === undefined) throw new Error('The shipped sale takes ether.')
  eth = token
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

const ADDRESS = 'sandbox-my-wallet'

/** A claim as it stands in the database, and the payout of it. */
async function aClaim(amount: bigint, address = ADDRESS): Promise<Payout> {
  const id = randomUUID()
  const now = app.clock.now()
  await app.open.database
    .insertInto('refund_claims')
    .values({
      id,
      user_id: buyer.user.id,
      rail: 'sandbox',
      chain: 'sandbox',
      payment_token_id: eth.id,
      address,
      amount: cryptoAmount(amount),
      fee: cryptoAmount(0n),
      claimed_at: now,
      approvable_at: now,
    })
    .execute()
  return { id, address, paymentToken: eth, amount: cryptoAmount(amount) }
}

const send = (amount: string) =>
  app.client.call(sandboxContract.pay, { body: { address: ADDRESS, amount } })

const find = async (wanted: Payout[], search: Partial<Parameters<Payouts['find']>[2]> = {}) =>
  (await payouts.find('sandbox', wanted, { ...nothingElse, ...search })).found

test('a payout that the wallet of the sandbox sends is found, and deepens with each block', async () => {
  const payout = await aClaim(10n ** 18n)
  expect(await find([payout])).toEqual([])
  await send('1')
  expect(await find([payout])).toMatchObject([{ id: payout.id, confirmations: 0 }])
  await mine(app, 2)
  const [found] = await find([payout])
  expect(found).toMatchObject({ confirmations: 2, requiredConfirmations: 2, index: 0 })
  expect(found?.transactionHash).toMatch(/^sandbox-/)
})

test('a transfer pays one payout, and none of another amount or from before the batch', async () => {
  const [one, other, more] = [await aClaim(5n), await aClaim(5n), await aClaim(6n)]
  await send('0.000000000000000005')
  await mine(app)
  const found = await find([one, other, more])
  expect(found.map(({ id }) => id)).toEqual([one.id])
  expect(await find([one], { sinceHeight: 1n })).toEqual([])
  const { transactionHash } = found[0] ?? {}
  expect(
    await find([other], { isTaken: (each) => each.transactionHash === transactionHash }),
  ).toEqual([])
})

test('what leaves the sale is no payment that came in', async () => {
  await aClaim(10n ** 18n)
  await send('1')
  await mine(app, 2)
  for (const table of ['receipts', 'unmatched_transfers'] as const) {
    expect(await app.open.database.selectFrom(table).selectAll().execute()).toEqual([])
  }
})

test('a reorganisation takes a payout back', async () => {
  const payout = await aClaim(10n ** 18n)
  await send('1')
  await mine(app)
  await app.client.call(sandboxContract.reorganise, { body: { depth: 1 } })
  expect(await find([payout])).toEqual([])
})

test('an address is of the sandbox', async () => {
  expect(await payouts.readAddress(eth, ` ${ADDRESS} `)).toEqual({ address: ADDRESS })
  for (const text of ['', 'sandbox-', 'sandbox-A b', '=1+1', `0x${'1'.repeat(40)}`]) {
    expect(await payouts.readAddress(eth, text)).toHaveProperty('fault')
  }
})

test('the fee and the least amount are small, and more than nothing', async () => {
  const fee = await payouts.networkFee(eth)
  expect(fee).toBeGreaterThan(payouts.dust(eth))
  expect(payouts.dust(eth)).toBeGreaterThan(0n)
})

test('an address that nobody has is not paid', async () => {
  const body = { address: 'sandbox-nobody', amount: '1' }
  expect((await app.client.call(sandboxContract.pay, { body })).status).toBe(404)
})
