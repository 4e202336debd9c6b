import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { saleContract } from '#contract/sale.ts'
import type { Transaction } from '#contract/shapes.ts'
import type { Sale } from '#domain/sale/sale.ts'
import {
  aPurchase,
  expectAllWell,
  lookAt,
  mine,
  part,
  pay,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const withoutUsdt = (sale: Sale): Sale => ({
  ...sale,
  paymentTokens: sale.paymentTokens.map((token) => ({ ...token, isEnabled: token.id !== 'usdt' })),
})

let open: TestDatabase
let app: TestApp
let buyer: SeededUser
let bought: Transaction
beforeAll(async () => {
  open = await openTestDatabase()
  const before = await startApp({ open })
  const [user] = await manyUsers(open.database, 1)
  if (user === undefined) throw new Error('There is no user.')
  buyer = user
  bought = await aPurchase(before, buyer, { token: 'usdt' })
  await before.close()
  app = await startApp({ open, changeSale: withoutUsdt })
})
afterAll(async () => {
  await app.close()
  await open.close()
})

describe('a payment token that is switched off', () => {
  test('is not offered', async () => {
    const { body } = await app.client.call(saleContract.getCurrentProject, {})
    const ids = body.payment_tokens.map(({ id }) => id)
    expect(ids).toContain('eth')
    expect(ids).not.toContain('usdt')
    const minimum = { params: { id: 'usdt' } }
    expect((await app.client.call(saleContract.getTokenMinimum, minimum)).status).toBe(404)
  })

  test('buys nothing and gets a reason', async () => {
    const expected = {
      code: 400,
      reason: 'UnknownPaymentToken',
      message: 'Tether is not accepted at the moment. Choose another payment token',
    }
    expect((await tryToBuy(app, buyer, { token: 'usdt' })).refusal).toMatchObject(expected)
    const body = { purchase_token_id: 'usdt', purchase_amount: 100 }
    const preview = await app.client.call(saleContract.calculateBonus, { body })
    expect(preview.refusal).toMatchObject(expected)
  })

  test('still pays for what was bought before, more than asked for too', async () => {
    await pay(app, bought)
    await mine(app, 2)
    await pay(app, bought, part(bought, 0.5))
    await mine(app, 2)
    const completed = await lookAt(app, buyer, bought)
    expect(completed).toMatchObject({
      status: 'completed',
      status_reason: 'overpaid',
      payment_token: { id: 'usdt', short_name: 'USDT' },
    })
    expect(completed.actual_purchase_amount_fiat).toBeGreaterThan(140)
    await expectAllWell(app)
  })
})
