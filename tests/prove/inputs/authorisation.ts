import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { type Role, roles as operatorRoles } from '#domain/operators/permissions.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { neverMoreThan, type Proof } from '../proof.ts'
import { faultOf } from './fuzz/check-reply.ts'
import type { Received, Sent } from '../wire.ts'
import { addressOf, asOperator, createJsonCalls, type JsonCalls } from './servers/json-calls.ts'
import { addOperatorSessions } from './servers/operator-sessions.ts'
import { OPERATOR_TOKEN, startWatchedServer } from './servers/watched-server.ts'

type Account = {
  id: string
  access: string
  refresh: string
  purchaseId: string
  sessionId: string
}

const calls = Object.entries(contract)
  .filter(([group]) => group !== 'sandbox')
  .flatMap(([group, endpoints]) =>
    Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
      name: `${group}.${name}`,
      endpoint,
    })),
  )

const LANES = 8

/** Who calls, and about whose things. */
type Cell = {
  name: string
  endpoint: Endpoint
  method: string
  role: string
  token: string | null
  /** Of an operator's session, and whose it is. */
  session: { role: Role; cookie: string } | null
  about: string
  target: Account
}

/**
 * Every call in every role, on one's own, somebody else's and nobody's things, as declared, with
 * HEAD and with OPTIONS. The sandbox's calls are open to everybody. Changes by permitted callers
 * are left to the tests; here nobody gets further than the check, or only reads.
 */
export const authorisation: Proof = {
  name: 'authorisation',
  title: 'Who may make which call, about whose things',
  kind: 'inputs',
  async run(scope) {
    const server = await startWatchedServer({ database: 'postgres' })
    const json = createJsonCalls(server.port, LANES)
    try {
      const sessions = await addOperatorSessions(server.databaseUrl ?? '')
      const cells = await listCells(json, sessions)
      const wrong: string[] = []
      await mapWithConcurrency(cells, LANES, async (cell, nth) => {
        const sent = requestOf(cell, nth)
        const fault = check(cell, sent, await json.wire.send(sent))
        const { method, name, role, about } = cell
        if (fault !== null) wrong.push(`${method} ${name}, ${role}, ${about}: ${fault}`)
      })
      for (const sentence of wrong.slice(0, 20)) scope.say(`  ${sentence}`)
      const missing = calls.filter(({ name }) => !cells.some((cell) => cell.name === name))
      return [
        {
          promise: 'Each call answers only who may make it, and shows nothing of others',
          seen:
            `${wrong.length} wrong of ${cells.length.toLocaleString('en')} cells, ` +
            `${missing.length} of ${calls.length} calls without one`,
          bar: '0',
          assessment: neverMoreThan(0, wrong.length + missing.length + server.faults.length),
        },
      ]
    } finally {
      json.close()
      await server.stop()
    }
  },
}

let registered = 0

async function anAccount(json: JsonCalls): Promise<Account> {
  registered += 1
  type LoggedIn = {
    data: { user: { id: string }; tokens: Record<'access' | 'refresh', { token: string }> }
  }
  const from = addressOf(registered)
  const { data } = await json.call<LoggedIn>('POST', '/auth/register', {
    body: aRegistration({ first_name: 'Hypatia', last_name: 'Alexandrina' }),
    from,
  })
  const access = data.tokens.access.token
  const bought = await json.call<{ data: { id: string } }>('POST', '/transactions', {
    as: access,
    body: { purchase_amount: 100, purchase_token_id: 'eth' },
    from,
  })
  const path = `/users/${data.user.id}/sessions`
  const [session] = await json.call<{ id: string }[]>('GET', path, { as: access })
  return {
    id: data.user.id,
    access,
    refresh: data.tokens.refresh.token,
    purchaseId: bought.data.id,
    sessionId: session?.id ?? '',
  }
}

const nobodys: Account = {
  id: '00000000-0000-4000-8000-000000000000',
  access: '',
  refresh: '',
  purchaseId: '00000000-0000-4000-8000-000000000001',
  sessionId: '00000000-0000-4000-8000-000000000002',
}

async function listCells(json: JsonCalls, sessions: ReadonlyMap<Role, string>): Promise<Cell[]> {
  const owner = await anAccount(json)
  const other = await anAccount(json)
  const ended = await anAccount(json)
  await json.call('POST', '/auth/logout', { as: ended.access })
  const due = await anAccount(json)
  await json.call('POST', `/operator/users/${due.id}/require-password-change`, asOperator)
  type RoleOfCall = [
    role: string,
    token: string | null,
    own: Account | null,
    session?: Cell['session'],
  ]
  const roles: RoleOfCall[] = [
    ['nobody', null, null],
    ['a token that is none', 'garbage', null],
    ['a refresh token', owner.refresh, null],
    ['an ended session', ended.access, ended],
    ['a wrong operator', `${OPERATOR_TOKEN}x`, null],
    ['an operator', OPERATOR_TOKEN, null],
    ['a user whose password is due', due.access, due],
    ['another user', other.access, other],
    ['the owner', owner.access, owner],
    ...[...sessions].map(([role, cookie]): RoleOfCall => [
      `the console’s ${role}`,
      null,
      null,
      { role, cookie },
    ]),
  ]
  return calls.flatMap(({ name, endpoint }) => {
    const isGet = endpoint.method === 'GET'
    const methods = [endpoint.method, 'OPTIONS', ...(isGet ? ['HEAD'] : [])]
    return methods.flatMap((method) =>
      roles.flatMap(([role, token, own, session = null]) => {
        const targets: [about: string, target: Account][] = [
          ['about the owner’s things', owner],
          ['about nobody’s things', nobodys],
          ...(own !== null && own !== owner
            ? [['about their own things', own] as [string, Account]]
            : []),
        ]
        return targets
          .map(([about, target]) => ({
            name,
            endpoint,
            method,
            role,
            token,
            session,
            about,
            target,
          }))
          .filter((cell) => isHarmless(cell, own))
      }),
    )
  })
}

/** Whether the cell can be tried without changing what the next ones need. */
function isHarmless(
  { endpoint, method, role, target, session }: Cell,
  own: Account | null,
): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true
  if (endpoint.access === 'operator') {
    return role !== 'an operator' && (session === null || !mayCall(endpoint, session.role))
  }
  if (endpoint.access !== 'user') return true
  const isStranger = own === null || role === 'an ended session'
  if (isStranger) return true
  if (role === 'a user whose password is due') return !endpoint.whilePasswordIsDue
  return isOwned(endpoint) && target !== own
}

const mayCall = ({ permission }: Endpoint, role: Role) =>
  operatorRoles[role].some((each) => each === permission)

const isOwned = ({ path }: Endpoint) => /^\/(users|transactions)\/\{id\}/.test(path)

function requestOf({ endpoint, method, token, session, target }: Cell, nth: number): Sent {
  const { path } = endpoint
  const id = path.startsWith('/users/')
    ? target.id
    : path.startsWith('/transactions/') || path.startsWith('/operator/purchases')
      ? target.purchaseId
      : path.startsWith('/operator/users')
        ? target.id
        : 'eth'
  const place = path
    .replace('{id}', id)
    .replace('{session_id}', target.sessionId)
    .replace('{gateway}', 'nowpayments')
    .replace('{format}', 'csv')
  const query = endpoint.query !== undefined && path.includes('/auth/') ? '?token=x' : ''
  const hasBody = endpoint.body !== undefined && method === endpoint.method
  return {
    method,
    path: API_BASE + place + query,
    headers: {
      'x-forwarded-for': `12.${(nth >> 8) & 255}.${nth & 255}.7`,
      'operator-name': 'Olga',
      ...(session !== null && { cookie: session.cookie }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? Buffer.from(JSON.stringify(plausibleBody(endpoint))) : null,
  }
}

/** What is wrong with the reply of a cell; null if it is as it should be. */
function check(cell: Cell, sent: Sent, reply: Received): string | null {
  const { endpoint, method, role, target } = cell
  const fault = faultOf(method === endpoint.method ? endpoint : null, sent, reply)
  if (fault !== null) return fault
  if (reply.status >= 500 && reply.status !== 503) return `${reply.status}`
  if (method === 'OPTIONS') return reply.status === 204 ? null : `${reply.status}`
  const wanted = statusFor(cell)
  if (wanted !== null && reply.status !== wanted) return `${reply.status} instead of ${wanted}`
  const isTheirs = role === 'the owner' || role === 'an operator' || mayRead(cell)
  const isShown = !isTheirs && /Hypatia|Alexandrina/.test(reply.body)
  const isOwnRecord = role !== 'nobody' && cell.about === 'about their own things'
  return isShown && !isOwnRecord && target !== nobodys ? 'it shows the owner’s name' : null
}

/** Whether it is an operator's call of a person who may make it. */
const mayRead = ({ endpoint, session }: Cell) =>
  endpoint.access === 'operator' && session !== null && mayCall(endpoint, session.role)

/** Null if the use case decides. */
function statusFor({ endpoint, role, about, session }: Cell): number | null {
  const { access, whilePasswordIsDue } = endpoint
  if (access === 'operator') {
    if (session !== null) return mayCall(endpoint, session.role) ? null : 403
    return role === 'an operator' ? null : 401
  }
  if (access !== 'user') return null
  const isUser = ['a user whose password is due', 'another user', 'the owner'].includes(role)
  if (!isUser) return 401
  if (role === 'a user whose password is due' && !whilePasswordIsDue) return 403
  if (!isOwned(endpoint)) return null
  const isOwn =
    about === 'about their own things' || (role === 'the owner' && about.includes('owner'))
  return isOwn ? null : 404
}
