import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { fieldsOf } from '#tests/kit/builders/plausible-input.ts'
import { OPERATOR_TOKEN } from '#tests/prove/inputs/servers/watched-server.ts'
import { type FuzzedSale, goodParam, goodWebhook, makers } from './good-values.ts'
import { contentTypes, spoiledBodies, strangeHeaders, strangeTokens } from './hostile-values.ts'
import type { Person, World } from './world.ts'
import type { Sent } from '#tests/prove/wire.ts'

export const roles = [
  'nobody',
  'a user',
  'a user, with ids of another',
  'a user whose password is due',
  'a user with two-factor login, half-way',
  'an operator',
  'somebody with a token that is none',
  'a gateway',
  'somebody who plays a gateway',
] as const
export type Role = (typeof roles)[number]

/** How the input of a call differs from what the contract asks for. */
export const forms = ['right', 'a field', 'the body', 'its type', 'headers', 'the address'] as const
type Form = (typeof forms)[number]

/** A call with everything that it takes to check its reply and to learn from it. */
export type Call = {
  name: string
  /** Null if address or method are not those of the call any more. */
  endpoint: Endpoint | null
  role: Role
  form: Form
  person: Person | null
  /** The body before it was serialised, which shows what its caller did. */
  fields: Readonly<Record<string, unknown>>
  sent: Sent
}

const calls = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
    name: `${group}.${name}`,
    endpoint,
  })),
)

/** Beside 10 for any other: some hash passwords or end what others need, one makes a role. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'transactions.createTransaction': 90,
  'sandbox.pay': 35,
  'sandbox.mineBlocks': 4,
  'sandbox.reorganise': 2,
  'sandbox.listMails': 4,
  'auth.register': 3,
  'auth.login': 3,
  'auth.resetPassword': 2,
  'auth.changePassword': 2,
  'auth.startTwoFactor': 3,
  'auth.confirmTwoFactor': 4,
  'auth.renewRecoveryCodes': 2,
  'auth.endTwoFactor': 2,
  'auth.logout': 1,
  'users.eraseUser': 1,
  'people.erasePerson': 1,
  'users.endSessions': 1,
  'operator.pauseSale': 1,
  'operator.resumeSale': 4,
  'operator.failPurchase': 3,
  'people.requirePasswordChange': 25,
  'people.endUserSessions': 1,
  'operator.listAllocations': 2,
  'transactions.streamEvents': 3,
}
const USUAL_WEIGHT = 10
const weighted = calls.flatMap((call) =>
  Array<typeof call>(WEIGHTS[call.name] ?? USUAL_WEIGHT).fill(call),
)

const webhook = { name: 'webhooks.receive', endpoint: contract.webhooks.receive as Endpoint }
/** Of the calls to a server that gateways call. */
const WEBHOOKS_PERCENT = 20

/** The next call that somebody makes. */
export function makeCall(world: World, sale: FuzzedSale): Call {
  const person = world.person()
  const urgent = mendingCall(world, person)
  const isAtGateways = sale.gateways.length > 1 && world.chance(WEBHOOKS_PERCENT)
  const { name, endpoint } = urgent ?? (isAtGateways ? webhook : world.pick(weighted))
  const isForGateway = endpoint.bytes === true
  const role = urgent?.role ?? roleFor(world, endpoint)
  const owner = role === 'a user, with ids of another' ? world.person() : person
  const form = urgent === null ? formFor(world) : 'right'
  const headers: Record<string, string> = {
    'x-forwarded-for': world.address(),
    ...authorization(world, role, person),
    ...texts(fieldValues(world, endpoint.headers, { name, person, sale })),
  }
  const params = new Map(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => [
      param,
      goodParam(world, { name: param, path: endpoint.path }, owner, sale),
    ]),
  )
  const query = fieldValues(world, endpoint.query, { name, person, sale })
  const fields = fieldValues(world, endpoint.body, { name, person, sale })
  if (form === 'a field') spoilField(world, { params, query, fields })
  let body: Buffer | null = endpoint.body === undefined ? null : Buffer.from(written(fields))
  if (isForGateway) body = signAs(world, role, params.get('gateway') ?? '', headers)
  if (body !== null) headers['content-type'] = 'application/json'
  const sent = spoil(world, form, {
    method: endpoint.method,
    path: API_BASE + pathOf(endpoint, params, query),
    headers,
    body,
  })
  // Without one of its parts an address may belong to another call.
  const isAstray = form === 'the address' || [...params.values()].includes('')
  const played = roleAfter(role, person, { name, fields })
  return {
    name,
    endpoint: isAstray ? null : endpoint,
    role: played,
    form,
    person,
    fields,
    sent,
  }
}

/** What a role comes to by what happened to the account before. */
function roleAfter(
  role: Role,
  person: Person | null,
  { name, fields }: Pick<Call, 'name' | 'fields'>,
): Role {
  const isHalfWay = name === 'auth.login' && fields['code'] === undefined
  if (isHalfWay && person?.hasTwoFactor) return 'a user with two-factor login, half-way'
  return role === 'a user' && person?.isPasswordDue ? 'a user whose password is due' : role
}

/** Occasionally restores a sale or an account that an earlier call has stopped. */
function mendingCall(world: World, person: Person | null) {
  const call = (name: string, role: Role) => {
    const found = calls.find((one) => one.name === name)
    return found === undefined ? null : { ...found, role }
  }
  if (!world.chance(20)) return null
  if (world.isPaused) return call('operator.resumeSale', 'an operator')
  if (person?.access === null) return call('auth.login', 'nobody')
  if (person?.isPasswordDue) return call('auth.changePassword', 'a user')
  if (person?.hasTwoFactor) return call('auth.login', 'nobody')
  const isHalfOn = person !== null && person.secret !== null && !person.hasTwoFactor
  return isHalfOn ? call('auth.confirmTwoFactor', 'a user') : null
}

/** The others follow from what happened before. */
const chosenRoles: readonly Role[] = [
  'nobody',
  'a user',
  'a user, with ids of another',
  'an operator',
  'somebody with a token that is none',
]

function roleFor(world: World, { access, bytes }: Endpoint): Role {
  if (bytes) return world.chance(70) ? 'a gateway' : 'somebody who plays a gateway'
  if (world.chance(12)) return world.pick(chosenRoles)
  if (access === 'operator') return 'an operator'
  if (access === 'user') return world.chance(85) ? 'a user' : 'a user, with ids of another'
  return world.pick(['nobody', 'nobody', 'a user', 'a user, with ids of another'])
}

function formFor(world: World): Form {
  const at = world.roll(100)
  if (at < 48) return 'right'
  if (at < 76) return 'a field'
  if (at < 84) return 'the body'
  if (at < 87) return 'its type'
  return at < 93 ? 'headers' : 'the address'
}

function authorization(world: World, role: Role, person: Person | null): Record<string, string> {
  if (role === 'nobody' || role === 'a gateway') return {}
  if (role === 'an operator') return { authorization: `Bearer ${OPERATOR_TOKEN}` }
  if (role === 'somebody with a token that is none') {
    const stolen = world.chance(30) ? person?.refresh : null
    return { authorization: stolen ? `Bearer ${stolen}` : world.pick(strangeTokens) }
  }
  return person?.access ? { authorization: `Bearer ${person.access}` } : {}
}

type About = { name: string; person: Person | null; sale: FuzzedSale }

function fieldValues(
  world: World,
  schema: Endpoint['body'],
  { name, person, sale }: About,
): Record<string, unknown> {
  const names = Object.keys(fieldsOf(schema)).filter((field) => field in makers)
  return Object.fromEntries(
    names
      .filter(
        (field) => !isOptional(schema, field) || isNeeded(field, name, person) || world.chance(45),
      )
      .map((field) => [field, makers[field]?.(world, person, name, sale)]),
  )
}

/** A login without a code is how somebody comes to be half-way. */
const isNeeded = (field: string, call: string, person: Person | null) =>
  (field === 'code' && person?.hasTwoFactor === true && call !== 'auth.login') ||
  field === 'idempotency-key' ||
  // An address that was pasted takes these.
  field === 'last_characters' ||
  field === 'is_no_exchange'

const isOptional = (schema: Endpoint['body'], field: string) =>
  fieldsOf(schema)[field]?._zod.optin === 'optional'

type Input = {
  params: Map<string, string>
  query: Record<string, unknown>
  fields: Record<string, unknown>
}

/** Another value, no value, or an unknown field, in one or two places. */
function spoilField(world: World, { params, query, fields }: Input): void {
  for (let times = 1 + world.roll(2); times > 0; times -= 1) {
    const value = world.pick(world.hostile)
    const [param] = [...params.keys()]
    const names = Object.keys(fields)
    const asked = Object.keys(query)
    const at = world.roll(10)
    if (at < 2 && param !== undefined)
      params.set(param, typeof value === 'string' ? value : written(value))
    else if (at < 4 && asked.length > 0) query[world.pick(asked)] = value
    else if (at === 4)
      fields[world.pick(['id', 'role', 'tokens', 'is_email_verified', '', 'a.b'])] = value
    else if (at === 5 && names.length > 0) delete fields[world.pick(names)]
    else if (at === 6) query[world.pick(['limit', 'x', '__proto__', 'period'])] = value
    else if (names.length > 0) fields[world.pick(names)] = value
  }
}

function written(value: unknown): string {
  return JSON.stringify(value) ?? '{}'
}

function pathOf(
  { path }: Endpoint,
  params: ReadonlyMap<string, string>,
  query: Record<string, unknown>,
): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params.get(name) ?? ''))
  const asked = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return asked.length === 0 ? place : `${place}?${asked.join('&')}`
}

/** A lone dot would make the client, not the server, resolve another address. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E').slice(0, 6_000)
}

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function signAs(
  world: World,
  role: Role,
  gateway: string,
  headers: Record<string, string>,
): Buffer {
  const { body, signature } = goodWebhook(world, gateway)
  const [name = '', right = ''] = signature
  const isRight = role === 'a gateway'
  headers[name] = isRight
    ? right
    : right.replace(/[0-9a-f]$/, (digit) => (digit === '0' ? '1' : '0'))
  return body
}

function spoil(world: World, form: Form, sent: Sent): Sent {
  switch (form) {
    case 'the body': {
      const text = sent.body?.toString() ?? '{}'
      const headers = { 'content-type': 'application/json', ...sent.headers }
      return { ...sent, headers, body: world.pick(spoiledBodies)(text) }
    }
    case 'its type':
      return {
        ...sent,
        headers: { ...sent.headers, 'content-type': world.pick(contentTypes) },
        body: sent.body ?? Buffer.from('x'),
      }
    case 'headers':
      return { ...sent, headers: { ...sent.headers, ...world.pick(strangeHeaders) } }
    case 'the address':
      return world.chance(50)
        ? { ...sent, method: world.pick(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'QUERY']) }
        : { ...sent, path: spoilPath(world, sent.path) }
    case 'right':
    case 'a field':
      return sent
  }
}

function spoilPath(world: World, path: string): string {
  return world.pick([
    (text: string) => `${text}/`,
    (text: string) => text.replace('/api', '//api'),
    (text: string) => text.replace('/v1/', '/v1/%2e%2e/'),
    (text: string) => text.toUpperCase(),
    (text: string) => `${text}%`,
    (text: string) => `${text}%ff`,
    (text: string) => `${text};x=1`,
    (text: string) => `${text}?${'a=1&'.repeat(1_500)}`,
    (text: string) => `${text}?limit=1&limit=2`,
    (text: string) => `${text}?__proto__[x]=1&constructor=2`,
    (text: string) => `${text}/${'x'.repeat(300)}`,
    (text: string) => text.replace('/v1', '/v2'),
    (text: string) => `http://evil.example${text}`,
    (text: string) => `${text}#fragment`,
    (text: string) => `${text}?token=${'%f0%9f%92%8e'.repeat(200)}`,
  ])(path)
}
