import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/error-body.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { anAddress, aRegistration, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { fieldsOf, plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import * as z from 'zod/mini'

let kit: TestApp
let user: RegisteredUser
beforeAll(async () => {
  kit = await startApp()
  user = await aUser(kit)
})
afterAll(() => kit.close())

describe('a registration', () => {
  const long = 'x'.repeat(101)
  test.each<[field: string, value: unknown, message: string]>([
    ['first_name', '', "Can't be empty"],
    ['first_name', '   ', 'Must be 1 to 100 characters, without control characters'],
    ['first_name', undefined, "Can't be empty"],
    ['first_name', null, "Can't be empty"],
    ['first_name', 7, "Can't be empty"],
    ['first_name', long, 'Must be 1 to 100 characters, without control characters'],
    ['last_name', 'a\u0000b', 'Must be 1 to 100 characters, without control characters'],
    ['last_name', 'a\r\nBcc: x', 'Must be 1 to 100 characters, without control characters'],
    ['last_name', 'a\u202eb', 'Must be 1 to 100 characters, without control characters'],
    ['email', '', "Can't be empty"],
    ['email', 'nobody', 'Email is invalid'],
    ['email', 'a@b', 'Email is invalid'],
    ['email', 'a@b.example, c@d.example', 'Email is invalid'],
    ['email', '"a b"@example.com', 'Email is invalid'],
    ['email', 'a(comment)@example.com', 'Email is invalid'],
    ['email', 'a@example.com\r\nBcc: b@example.com', 'Email is invalid'],
    ['email', 'a\u0000@example.com', 'Email is invalid'],
    ['email', `${'a'.repeat(250)}@example.com`, 'Email is invalid'],
    ['nationality', 'gb', 'Must be the two-letter code of a country'],
    ['nationality', 'GBR', 'Must be the two-letter code of a country'],
    ['nationality', '', "Can't be empty"],
    ['nationality', 'ZZ', 'Must be the two-letter code of a country'],
    ['password', '', "Can't be empty"],
    ['password', 'short1', 'Minimum 8 character'],
    ['password', `${'x'.repeat(32)}1`, 'Maximum 32 character'],
    ['password', 'only-letters', 'Must have at least 1 number and 1 letter'],
    ['password', '1234567890', 'Must have at least 1 number and 1 letter'],
    ['password', undefined, "Can't be empty"],
    ['first_name', '\u{e0041}', 'Must be 1 to 100 characters, without control characters'],
    ['mobile', 7, 'Must be a dial code, a space and the number'],
    ['mobile', '07911123456', 'Must be a dial code, a space and the number'],
    ['mobile', '+447911123456', 'Must be a dial code, a space and the number'],
    ['mobile', '+44 79 11 12', 'Must be a dial code, a space and the number'],
    ['mobile', '+44 1234', 'Enter a phone number that exists in that country'],
    ['mobile', '+999 7911123456', 'Enter a phone number that exists in that country'],
    ['is_email_verified', true, 'This field is not known here'],
    ['referrals.earned', 1, 'This field is not known here'],
  ])('with %s = %j is refused at that field', async (field, value, message) => {
    const [outer = '', inner] = field.split('.')
    const body = { ...aRegistration(), [outer]: inner === undefined ? value : { [inner]: value } }
    const reply = await kit.client.callWith(
      authContract.register,
      { body },
      { remoteAddress: anAddress() },
    )
    expect(reply.status).toBe(400)
    expect(reply.refusal.reason).toBe('InvalidInput')
    expect(reply.refusal.errors).toEqual([{ path: field, message }])
  })

  test('reports all faults at once', async () => {
    const reply = await kit.client.callWith(authContract.register, { body: {} })
    expect(reply.refusal.errors?.map(({ path }) => path).toSorted()).toEqual([
      'email',
      'first_name',
      'last_name',
      'nationality',
      'password',
    ])
  })

  test.each(['Zoë', "O'Neill", '李小龍', 'محمد', '💎', 'x'.repeat(100), '=1+1', '<b>Ada</b>'])(
    'takes the name %s as it stands',
    async (name) => {
      const registered = await aUser(kit, { first_name: name, last_name: name })
      expect(registered.user).toMatchObject({ first_name: name, last_name: name })
    },
  )

  test.each(['pass w0rd', 'pässwörd1', '密码password1', '💎💎💎💎💎💎a1', `${'💎'.repeat(30)}a1`])(
    'takes the password %s exactly as typed',
    async (password) => {
      const registered = await aUser(kit, { password })
      const login = await kit.client.call(
        authContract.login,
        { body: { email: registered.email, password } },
        { remoteAddress: anAddress() },
      )
      expect(login.status).toBe(200)
    },
  )
})

describe('an amount in dollars', () => {
  test.each([
    '0',
    '-1',
    '-0',
    '0.0000001',
    '1e-7',
    '1e3',
    '1E308',
    '1e999',
    '-1e999',
    '1000000000000',
    '123456789012.1234567',
    '100.1234567890123456',
    '9007199254740993.5',
    'null',
    'true',
    '"100"',
    '"٣"',
    '"1,5"',
    '"NaN"',
    '[100]',
    '{"amount":100}',
  ])('%s is refused at its field', async (amount) => {
    const body = `{"purchase_amount":${amount},"purchase_token_id":"eth"}`
    const reply = await kit.client.callWith(
      transactionsContract.createTransaction,
      { body },
      user.as,
    )
    expect(reply.status).toBe(400)
    expect(reply.refusal.errors?.map(({ path }) => path)).toEqual(['purchase_amount'])
  })

  test.each(['NaN', 'Infinity', '0x10', '1_000', '.5', '5.', '01', '+1'])(
    '%s is no JSON at all',
    async (amount) => {
      const body = `{"purchase_amount":${amount},"purchase_token_id":"eth"}`
      const reply = await kit.client.callWith(
        transactionsContract.createTransaction,
        { body },
        user.as,
      )
      expect(reply.refusal.reason).toBe('MalformedBody')
    },
  )
})

describe('half a character', () => {
  const message = 'Must not contain half a character'
  const preview = { purchase_amount: 100, purchase_token_id: 'eth' }

  test.each<[string, Endpoint, object, string]>([
    ['a password', authContract.login, { email: 'a@example.com', password: '\ud83d' }, 'password'],
    ['an email address', authContract.login, { email: '\udc00', password: 'x' }, 'email'],
    [
      'a referrer',
      authContract.register,
      { ...aRegistration(), referrals: { referred_by: 'x\ud800' } },
      'referrals.referred_by',
    ],
    [
      'what the server does not look at',
      saleContract.calculateBonus,
      { ...preview, bonuses: { a: ['x', '\ud800'] } },
      'bonuses.a.1',
    ],
    [
      'the name of such',
      saleContract.calculateBonus,
      { ...preview, bonuses: { '\ud800': 1 } },
      'bonuses.\ud800',
    ],
    ['an operator’s reason', operatorContract.pauseSale, { reason: 'Look\udfff' }, 'reason'],
  ])('in %s is refused', async (_, endpoint, body, path) => {
    const accessToken = endpoint.access === 'operator' ? OPERATOR_TOKEN : undefined
    const reply = await kit.client.callWith(
      endpoint,
      { body },
      { accessToken, remoteAddress: anAddress() },
    )
    expect(reply.refusal).toMatchObject({ code: 400, errors: [{ path, message }] })
  })

  test.each(['%ED%A0%80', '%ED%B0%80', '%FF', 'a%', '%C3'])(
    'written as %s in an address is refused',
    async (written) => {
      const reply = await kit.app.inject({ url: `${API_BASE}/sandbox/mails?to=${written}` })
      expect(z.parse(ErrorBody, reply.json())).toMatchObject({
        code: 400,
        errors: [{ path: 'to', message: 'Must be encoded as UTF-8' }],
      })
    },
  )
})

describe('a page of transactions', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['limit 0', { limit: '0' }, ['limit']],
    ['limit 101', { limit: '101' }, ['limit']],
    ['limit -1', { limit: '-1' }, ['limit']],
    ['limit 5.5', { limit: '5.5' }, ['limit']],
    ['limit 1e1', { limit: '1e1' }, ['limit']],
    ['limit empty', { limit: '' }, ['limit']],
    ['after no id', { after: 'x' }, ['after']],
    ['before no id', { before: '1 or 1=1' }, ['before']],
    ['no state', { state: '' }, ['state']],
    ['an unknown state', { state: 'expired' }, ['state']],
    ['a state in capitals', { state: 'OPEN' }, ['state']],
    ['another parameter', { page: '2' }, ['page']],
  ])('%s is refused', async (_, query, paths) => {
    const reply = await kit.client.callWith(
      usersContract.listTransactions,
      { params: { id: user.user.id }, query },
      user.as,
    )
    expect(reply.status).toBe(400)
    expect(reply.refusal.errors?.map(({ path }) => path)).toEqual(paths)
  })

  test('a parameter given twice is refused', async () => {
    const url = `${API_BASE}/users/${user.user.id}/transactions?limit=5&limit=6`
    const headers = { authorization: `Bearer ${user.as.accessToken}` }
    const reply = await kit.app.inject({ url, headers })
    expect(z.parse(ErrorBody, reply.json())).toMatchObject({
      code: 400,
      errors: [{ path: 'limit', message: 'Must be 1 to 100' }],
    })
  })
})

test('what is too long is told how long it may be', async () => {
  const reply = await kit.client.callWith(
    operatorContract.searchPurchases,
    { query: { q: 'x'.repeat(255) } },
    { accessToken: OPERATOR_TOKEN },
  )
  expect(reply.refusal.errors).toEqual([{ path: 'q', message: 'Must be at most 254 characters' }])
})

test.each<[field: string, value: unknown, message: string, Endpoint]>([
  ['email', 'nobody', 'Invalid email', authContract.forgotPassword],
  ['referrals', null, 'Must be an object', authContract.register],
  ['language', 'fr', 'Must be en or de', authContract.register],
  ['token_price', '1', 'Must be a number', saleContract.calculateBonus],
])('%s = %j is refused with "%s"', async (field, value, message, endpoint) => {
  const reply = await kit.client.callWith(
    endpoint,
    { body: { [field]: value } },
    { remoteAddress: anAddress() },
  )
  expect(reply.refusal.errors).toContainEqual({ path: field, message })
})

/** What a call may be sent instead of a JSON object. */
const noObjects: [string, string | Buffer, string?][] = [
  ['nothing', ''],
  ['half an object', '{"email":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '7'],
  ['a string', '"email"'],
  ['two objects', '{}{}'],
  ['a deep list', '['.repeat(30_000)],
  ['deep objects', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a key of the prototype', '{"__proto__":{"a":1}}'],
  ['a NUL', '\u0000'],
]

const withBody = Object.values(contract)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter((endpoint) => endpoint.body !== undefined)

const tokenFor = ({ access }: Endpoint) =>
  access === 'operator' ? OPERATOR_TOKEN : user.as.accessToken

test('a call without a body refuses one and names its keys', async () => {
  const reply = await kit.app.inject({
    method: 'POST',
    url: `${API_BASE}/auth/logout`,
    headers: { authorization: `Bearer ${user.as.accessToken}` },
    payload: { surprise: 1 },
    remoteAddress: anAddress(),
  })
  const { code, errors } = z.parse(ErrorBody, reply.json())
  expect(code).toBe(400)
  expect(errors?.map(({ path }) => path)).toEqual(['surprise'])
})

describe.each(
  withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  const send = (payload: string | Buffer, type = 'application/json') =>
    kit.app.inject({
      method: endpoint.method,
      url: API_BASE + endpoint.path.replace('{id}', user.user.id),
      headers: { 'content-type': type, authorization: `Bearer ${tokenFor(endpoint)}` },
      payload,
      remoteAddress: anAddress(),
    })

  const isNeeded = !z.safeParse(endpoint.body ?? z.any(), undefined).success
  const wrong = isNeeded ? noObjects : noObjects.filter(([, payload]) => payload !== '')

  test.each(wrong)('sent %s is refused with the reason', async (_name, payload) => {
    const reply = await send(payload)
    expect(z.parse(ErrorBody, reply.json())).toMatchObject({ code: 400, reason: 'MalformedBody' })
  })

  test('sent another type is a 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const reply = await send('a=b', type)
      expect(z.parse(ErrorBody, reply.json()).code).toBe(415)
    }
  })

  test('sent more than its bound is a 413', async () => {
    const bytesMax = endpoint.bodyBytesMax ?? 128 * 1024
    const reply = await send(JSON.stringify({ a: 'x'.repeat(bytesMax) }))
    expect(z.parse(ErrorBody, reply.json()).code).toBe(413)
  })

  test('sent a key it does not know names it', async () => {
    const reply = await send('{"surprise":1,"constructor":1}')
    const { code, errors } = z.parse(ErrorBody, reply.json())
    expect(code).toBe(400)
    const paths = errors?.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['surprise', 'constructor']))
  })
})

describe('whatever is sent, the server does not fail', () => {
  const nasty: unknown[] = [
    null,
    true,
    0,
    -1,
    1.5,
    '',
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '${7*7}',
    '../../etc/passwd',
    'x'.repeat(5_000),
    [],
    [[]],
    {},
    { $gt: '' },
    { toString: 1 },
  ]

  test.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s with a nasty value in each field',
    async (_, endpoint) => {
      for (const field of Object.keys(fieldsOf(endpoint.body))) {
        for (const value of nasty) {
          const body = { ...plausibleBody(endpoint), [field]: value }
          const reply = await kit.client.callWith(
            endpoint,
            { params: { id: user.user.id }, query: { token: 'x' }, body },
            { accessToken: tokenFor(endpoint), remoteAddress: anAddress() },
          )
          expect(reply.status, `${field} = ${JSON.stringify(value)}`).toBeLessThan(500)
        }
      }
    },
  )
})
