import { afterEach, beforeEach, expect, test } from 'vitest'

import { tokenAmount, usd } from '#domain/money.ts'
import { tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: SeededUser
beforeEach(async () => {
  const supply = tokenAmount(10n ** 24n)
  app = await startApp({ changeSale: smallStages({ maxUsd: usd(90_000_000_000n), supply }) })
  const [user] = await manyUsers(app.open.database, 1)
  if (user === undefined) throw new Error('There is no user.')
  buyer = user
})
afterEach(() => app.close())

test.each([
  ['the stage’s minimum, which is the larger', 10, 'eth'],
  ['the payment token’s minimum, where that is the larger', 25, 'btc'],
  ['the maximum', 90_000, 'eth'],
])('exactly %s is accepted', async (_, amount, token) => {
  const { status, body } = await tryToBuy(app, buyer, { usd: amount, token })
  expect(status).toBe(201)
  expect(body.data.initial_purchase_amount_fiat).toBe(amount)
})

test('one unit below the payment token’s minimum is refused with that minimum', async () => {
  const { refusal } = await tryToBuy(app, buyer, { usd: 24.999999, token: 'btc' })
  expect(refusal).toMatchObject({ code: 400, message: "Can't spend less than $25" })
})
