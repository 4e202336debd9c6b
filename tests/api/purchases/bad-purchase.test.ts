import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { saleContract } from '#contract/sale.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usd } from '#domain/money.ts'
import { expectInvariants, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: SeededUser
beforeAll(async () => {
  app = await startApp({ changeSale: smallStages({ maxUsd: usd(90_000_000_000n) }) })
  const [user] = await manyUsers(app.open.database, 1)
  if (user === undefined) throw new Error('There is no user.')
  buyer = user
})
afterEach(async () => {
  const made = await app.open.database.selectFrom('purchases').select('id').execute()
  expect(made, 'nothing bad was booked').toEqual([])
})
afterAll(async () => {
  await expectInvariants(app)
  await app.close()
})

const NOT_A_NUMBER = 'Enter an amount in dollars as a plain number'
const NOT_PLAIN = 'Must be more than 0, with at most 12 digits and 6 decimals'
const NOT_JSON = 'The request could not be read. Send one JSON object'

describe.each([
  ['buying', transactionsContract.createTransaction],
  ['the preview of bonuses', saleContract.calculateBonus],
])('%s', (_, endpoint) => {
  const send = async (body: string) =>
    (await app.client.callWith(endpoint, { body }, buyer.as)).refusal

  test.each<[amount: string, message: string]>([
    ['-100', NOT_PLAIN],
    ['-0', NOT_PLAIN],
    ['0', NOT_PLAIN],
    ['0.0', NOT_PLAIN],
    ['1e308', NOT_A_NUMBER],
    ['1e309', NOT_A_NUMBER],
    ['1e-7', NOT_PLAIN],
    [`100.${'1'.repeat(30)}`, NOT_A_NUMBER],
    [`0.${'0'.repeat(29)}1`, NOT_PLAIN],
    ['100.0000001', NOT_PLAIN],
    ['1000000000000', NOT_PLAIN],
    [`1${'0'.repeat(40)}`, NOT_A_NUMBER],
    ['"100"', NOT_A_NUMBER],
    ['"٣"', NOT_A_NUMBER],
    ['"1,5"', NOT_A_NUMBER],
    ['"1e3"', NOT_A_NUMBER],
    ['""', NOT_A_NUMBER],
    ['null', NOT_A_NUMBER],
    ['true', NOT_A_NUMBER],
    ['[100]', NOT_A_NUMBER],
    ['{}', NOT_A_NUMBER],
  ])('of %s dollars is refused with a sentence', async (amount, message) => {
    const refusal = await send(`{"purchase_amount":${amount},"purchase_token_id":"eth"}`)
    expect(refusal).toMatchObject({
      code: 400,
      message: 'Some fields are incorrect. Change them and try again',
      errors: [{ path: 'purchase_amount', message }],
    })
  })

  test.each(['NaN', 'Infinity', '-Infinity', '1,5', '٣', '0x64', '+100', '1_000'])(
    'of the bare %s is no JSON',
    async (amount) => {
      const refusal = await send(`{"purchase_amount":${amount},"purchase_token_id":"eth"}`)
      expect(refusal).toMatchObject({ code: 400, message: NOT_JSON })
    },
  )

  test.each(['xmr', 'ETH', ' eth', 'eth ', '', 'ＥＴＨ', '../eth', 'toString', '1', "eth'--"])(
    'in the unknown token "%s" is refused with a sentence',
    async (token) => {
      const refusal = await send(JSON.stringify({ purchase_amount: 100, purchase_token_id: token }))
      expect(refusal).toMatchObject({
        code: 400,
        reason: 'UnknownPaymentToken',
        message: 'This payment token is not accepted',
      })
    },
  )

  test.each(['null', '1', '["eth"]', '{"id":"eth"}', 'true'])(
    'in %s instead of a token id is refused with a sentence',
    async (token) => {
      const refusal = await send(`{"purchase_amount":100,"purchase_token_id":${token}}`)
      const errors = [{ path: 'purchase_token_id', message: 'Choose a payment token' }]
      expect(refusal).toMatchObject({ code: 400, errors })
    },
  )
})

describe('a purchase', () => {
  test.each([
    ['below the minimum by one unit', 9.999999, "Can't spend less than $10"],
    ['above the maximum by one unit', 90_000.000001, "Can't spend more than $90,000"],
  ])('%s is refused', async (_, amount, message) => {
    const { refusal } = await tryToBuy(app, buyer, { usd: amount })
    expect(refusal).toMatchObject({ code: 400, message })
  })

  test.each([
    { token_price: 0.000001 },
    { bonuses: { base_bonus: 1e9 } },
    { tokens: { total: 1e9 } },
    { user_id: '00000000-0000-4000-8000-000000000000' },
    { status: 'completed' },
  ])('with %j of its own making is refused', async (tampered) => {
    const body = { purchase_amount: 100, purchase_token_id: 'eth', ...tampered }
    const { refusal } = await app.client.callWith(
      transactionsContract.createTransaction,
      { body },
      buyer.as,
    )
    const [path] = Object.keys(tampered)
    expect(refusal).toMatchObject({
      code: 400,
      errors: [{ path, message: 'This field is not known here' }],
    })
  })

  test.each(['a b', 'ä', ' ', 'x'.repeat(201), 'a\u0001'])(
    'with the key %j is refused with a sentence',
    async (key) => {
      const { refusal } = await tryToBuy(app, buyer, { key })
      expect(refusal.errors).toEqual([
        {
          path: 'idempotency-key',
          message: 'Must be 1 to 200 printable ASCII characters, without spaces',
        },
      ])
    },
  )
})

describe('the preview of bonuses', () => {
  const preview = (body: string) =>
    app.client.callWith(saleContract.calculateBonus, { body }, buyer.as)

  test.each([
    '"token_price":1e-300',
    '"token_price":-1',
    '"token_price":0,"bonuses":{"base_bonus":1e308}',
    '"bonuses":null',
    '"bonuses":[[[["x"]]]]',
    '"bonuses":"free"',
  ])('is what it is, with %s as well', async (tampered) => {
    const plain = '"purchase_amount":100,"purchase_token_id":"eth"'
    const truth = (await preview(`{${plain}}`)).body
    expect((await preview(`{${plain},${tampered}}`)).body).toEqual(truth)
  })
})
