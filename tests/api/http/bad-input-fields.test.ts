import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { usersContract } from '#contract/users.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import type { LooseInput } from '#tests/kit/servers/client.ts'
import { fieldsOf, plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let user: RegisteredUser
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())
beforeEach(async () => {
  user ??= await aUser(kit)
  // So that no limit answers in place of the check that is looked for.
  await kit.open.database.deleteFrom('rate_limits').execute()
})

type Field = { call: string; endpoint: Endpoint; part: 'body' | 'query'; path: string }

/** Every field of every call of an account, those within fields as well. */
const fields: Field[] = Object.entries<Endpoint>({ ...authContract, ...usersContract }).flatMap(
  ([call, endpoint]) =>
    (['body', 'query'] as const).flatMap((part) =>
      Object.entries(fieldsOf(endpoint[part])).flatMap(([name, schema]) => {
        const inner = Object.keys(fieldsOf(schema))
        const paths = inner.length === 0 ? [name] : inner.map((key) => `${name}.${key}`)
        return paths.map((path) => ({ call, endpoint, part, path }))
      }),
    ),
)

const titled = (some: readonly Field[]) =>
  some.map((field) => [`${field.call} ${field.path}`, field] as const)

/** Texts that are compared or looked up: whatever they are, they are the wrong ones. */
const compared = new Set([
  'login email',
  'login password',
  'refreshTokens refresh_token',
  'resetPassword token',
  'verifyEmail token',
  'changePassword current_password',
  'startTwoFactor password',
  'endTwoFactor password',
  'renewRecoveryCodes password',
  'eraseUser password',
  'register referrals.referred_by',
])
const isChecked = ({ call, path }: Field) => !compared.has(`${call} ${path}`)

function inputWith({ endpoint, part, path }: Field, value: unknown): LooseInput {
  const [name = '', inner] = path.split('.')
  const given = { [name]: inner === undefined ? value : { [inner]: value } }
  const token = fieldsOf(endpoint.query)['token'] === undefined ? {} : { token: 'nobodys' }
  return {
    params: { id: user.user.id },
    query: { ...token, ...(part === 'query' && (given as Record<string, string>)) },
    ...(endpoint.body && {
      body: { ...plausibleBody(endpoint), ...(part === 'body' && given) },
    }),
  }
}

const send = ({ endpoint, ...field }: Field, value: unknown) =>
  kit.client.callWith(endpoint, inputWith({ endpoint, ...field }, value), {
    ...user.as,
    remoteAddress: anAddress(),
  })

/** Those of `values` that were answered by anything but a 400 that names the field alone. */
async function listTaken(field: Field, values: readonly unknown[]): Promise<string[]> {
  const taken: string[] = []
  for (const value of values) {
    const reply = await send(field, value)
    const paths = reply.status === 400 ? reply.refusal.errors?.map(({ path }) => path) : []
    const isRefused = paths?.length === 1 && paths[0] === field.path
    if (!isRefused) taken.push(`${reply.status} for ${JSON.stringify(value).slice(0, 60)}`)
  }
  return taken
}

/** Texts that no checked field takes, beside names, which are of all languages. */
const badTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'a\u0007b',
  'a\r\nBcc: victim@example.com',
  'a\u2028b',
  'a\u202eb',
  'a\u200fb',
  'a\u061cb',
  '\u200b',
  '\ufeff',
  '\ud800',
  'x'.repeat(5_000),
  'x'.repeat(100 * 1024),
]

test('there are fields to try, and each compared one is among them', () => {
  expect(fields.length).toBeGreaterThan(20)
  const names = fields.map(({ call, path }) => `${call} ${path}`)
  expect(names).toEqual(expect.arrayContaining([...compared]))
})

/** A referrer that is no id is ignored. */
const inBodies = fields.filter(
  ({ part, path }) => part === 'body' && path !== 'referrals.referred_by',
)

test.each(titled(inBodies))('%s is refused where it is no text', async (_, field) => {
  const mayBeNull = field.call === 'updateUser' && field.path === 'mobile'
  const wrong = [7, -0.5, true, false, [], ['x'], {}, { $gt: '' }, ...(mayBeNull ? [] : [null])]
  expect(await listTaken(field, wrong)).toEqual([])
})

const isPage = ({ call }: Field) => call === 'listTransactions'

test.each(titled(fields.filter((field) => isChecked(field) && !isPage(field))))(
  '%s is refused at its place for every text that it cannot be',
  async (_, field) => {
    const isName = field.path.endsWith('_name')
    expect(await listTaken(field, isName ? badTexts : [...badTexts, '💎'])).toEqual([])
  },
)

test.each(titled(fields.filter(isPage)))('%s is refused likewise', async (_, field) => {
  const texts = [...badTexts, '💎'].filter((one) => one.length < 10_000)
  expect(await listTaken(field, texts)).toEqual([])
})

test.each(titled(fields.filter((field) => !isChecked(field))))(
  '%s is compared whatever it is, and never fails the server',
  async (_, field) => {
    for (const text of [...badTexts, '💎', "' or 1=1 --", '${7*7}', '../../x']) {
      await kit.open.database.deleteFrom('rate_limits').execute()
      const reply = await send(field, text)
      const what = JSON.stringify(text).slice(0, 60)
      // A referrer who does not exist is ignored.
      const known = field.path === 'referrals.referred_by' ? [201, 400] : [400, 401, 409]
      expect(known, what).toContain(reply.status)
      const paths = reply.status < 400 ? [] : (reply.refusal.errors ?? []).map(({ path }) => path)
      expect([field.path], what).toEqual(expect.arrayContaining(paths))
    }
  },
)

describe('a body', () => {
  const withBody = [...new Set(inBodies.map(({ endpoint }) => endpoint))]
  const titledCalls = withBody.map((one) => [`${one.method} ${one.path}`, one] as const)
  const sendRaw = (endpoint: Endpoint, body: string) =>
    kit.client.callWith(
      endpoint,
      { params: { id: user.user.id }, query: { token: 'x' }, body },
      { ...user.as, remoteAddress: anAddress() },
    )

  test.each(titledCalls)('of %s with a key twice is refused at that key', async (_, endpoint) => {
    const body = plausibleBody(endpoint)
    for (const name of Object.keys(fieldsOf(endpoint.body)).filter((key) => key in body)) {
      const entries = Object.entries(body).map(
        ([key, value]) => `"${key}":${JSON.stringify(value)}`,
      )
      const twice = `{${entries.join(',')},"${name}":${JSON.stringify(body[name])}}`
      const reply = await sendRaw(endpoint, twice)
      expect(reply.refusal).toMatchObject({
        code: 400,
        reason: 'InvalidInput',
        errors: [{ path: name, message: 'Must be given once' }],
      })
    }
  })

  test.each(titledCalls)('of %s nested a thousand deep is a 400', async (_, endpoint) => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`
    for (const name of Object.keys(fieldsOf(endpoint.body))) {
      const reply = await sendRaw(endpoint, `{"${name}":${deep}}`)
      expect(reply.refusal).toMatchObject({ code: 400, reason: 'MalformedBody' })
    }
  })

  test.each(titledCalls)('of %s with 100 KB in a field names that field', async (_, endpoint) => {
    for (const name of Object.keys(fieldsOf(endpoint.body))) {
      const body = { ...plausibleBody(endpoint), [name]: 'x'.repeat(100 * 1024) }
      const reply = await sendRaw(endpoint, JSON.stringify(body))
      expect(reply.refusal.code, name).toBe(400)
      expect(
        reply.refusal.errors?.map(({ path }) => path),
        name,
      ).toEqual([name])
    }
  })
})

test('a change of the profile writes no column but its five, whatever it names', async () => {
  const changeable = ['first_name', 'last_name', 'nationality', 'mobile', 'language']
  const { rows } = await sql<{ name: string }>`
    select distinct column_name as name from information_schema.columns
    where table_schema = 'public'`.execute(kit.open.database)
  const names = rows.map(({ name }) => name).filter((name) => !changeable.includes(name))
  expect(names).toEqual(expect.arrayContaining(['password_hash', 'is_email_verified', 'erased_at']))
  const stored = () =>
    kit.open.database
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.user.id)
      .executeTakeFirstOrThrow()
  const before = await stored()
  const odd = ['First_Name', 'firstName', 'users.email', 'first_name ', 'user', 'role', 'tokens']
  for (const name of [...names, ...odd]) {
    const endpoint = usersContract.updateUser
    const input = { params: { id: user.user.id }, body: { first_name: 'Mallory', [name]: 'x' } }
    const reply = await kit.client.callWith(endpoint, input, user.as)
    expect(reply.refusal.errors, name).toEqual([
      { path: name, message: 'This field is not known here' },
    ])
  }
  expect(await stored()).toEqual(before)
})
