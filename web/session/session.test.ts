import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { createSession } from './session.ts'
import type { KeptTokens, SessionState } from './session-state.ts'

const NOW_MS = Date.parse('2026-01-01T00:00:00.000Z')
const USER_ID = '6f2f0c3e-7d0e-4d2a-9a55-0d8f6a3b1c11'

interface Answer {
  status: number
  body?: unknown
}

/** How the server answers each call; the calls that it got are kept in order. */
let answer: (path: string, token: string | null) => Answer | Promise<Answer>
let calls: string[]
/** The pauses between the calls, in milliseconds. */
let pauses: number[]

beforeEach(() => {
  calls = []
  pauses = []
  vi.stubGlobal('fetch', async (url: string, init: { headers: Headers }) => {
    const path = url.replace('/api/v1', '')
    const token = init.headers.get('authorization')?.replace('Bearer ', '') ?? null
    calls.push(token === null ? path : `${path} ${token}`)
    const { status, body } = await answer(path, token)
    return new Response(body === undefined ? null : JSON.stringify(body), { status })
  })
})
afterEach(() => void vi.unstubAllGlobals())

function tokensOf(name: string, accessLivesMs: number, refreshLivesMs = 1000_000) {
  return {
    access: { token: name, expires: new Date(NOW_MS + accessLivesMs).toISOString() },
    refresh: { token: `refresh-${name}`, expires: new Date(NOW_MS + refreshLivesMs).toISOString() },
  }
}

function refusal(status: number, reason: string, message = reason): Answer {
  return { status, body: { code: status, reason, message, request_id: 'r' } }
}

/** With nothing but what the specification says of every error. */
function bareRefusal(code: number, message: string): Answer {
  return { status: code, body: { code, message } }
}

const user = {
  id: USER_ID,
  first_name: 'Ada',
  last_name: 'Lovelace',
  nationality: 'GB',
  mobile: null,
  email: 'ada@example.com',
  is_email_verified: true,
  signup_date: '2026-01-01T00:00:00.000Z',
  tokens: { base: 0, bonuses: 0, total: 0 },
  paid_amount_fiat: 0,
  language: 'en' as const,
}

/** A session that is logged in unless `tokens` is null. */
function startSession(tokens: KeptTokens | null) {
  let stored: SessionState =
    tokens === null
      ? { status: 'logged-out', by: 'nobody', dismissedBanners: [] }
      : loggedInAs(user, tokens)
  const session = createSession({
    storage: {
      read: () => stored,
      write: (state) => (stored = state),
      watch: () => () => undefined,
    },
    nowMs: () => NOW_MS,
    pause: async (durationMs) => void pauses.push(durationMs),
    exclusively: (task) => task(),
  })
  return {
    ...session,
    /** The other tab stores before this one is notified. */
    storeElsewhere: (state: SessionState) => (stored = state),
    readStored: () => stored,
  }
}

function loggedInAs(who: User, tokens: KeptTokens): SessionState {
  return {
    status: 'logged-in',
    user: who,
    tokens,
    obstacle: null,
    landing: null,
    dismissedBanners: [],
  }
}

/** The reply to a login. */
function loginOf(name: string, accessLivesMs: number) {
  return { user, tokens: tokensOf(name, accessLivesMs) }
}

const getUser = [usersContract.getUser, { params: { id: USER_ID } }] as const
const credentials = { email: 'ada@example.com', password: 'abcdefg1' }

test('an expired access token is traded in first, once for all calls that wait', async () => {
  const session = startSession(tokensOf('old', -1))
  answer = (path) =>
    path === '/auth/refresh-tokens'
      ? { status: 200, body: tokensOf('new', 900_000) }
      : { status: 200, body: user }
  await Promise.all([session.callAs(...getUser), session.callAs(...getUser)])
  const get = `/users/${USER_ID} new`
  expect(calls).toEqual(['/auth/refresh-tokens', get, get])
})

test('a missing access token is fetched first, and without a reply nothing else is sent', async () => {
  const { refresh } = tokensOf('old', 900_000)
  const session = startSession({ access: null, refresh })
  answer = () => refusal(401, 'RefreshTokenInvalid')
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(calls).toEqual(['/auth/refresh-tokens'])
  expect(session.readStored()).toMatchObject({ status: 'logged-out' })

  const another = startSession({ access: null, refresh })
  answer = (path) =>
    path === '/auth/refresh-tokens'
      ? { status: 200, body: tokensOf('new', 900_000) }
      : { status: 200, body: user }
  await another.callAs(...getUser)
  expect(calls.slice(1)).toEqual(['/auth/refresh-tokens', `/users/${USER_ID} new`])
})

test('a 401 refreshes and tries once more, and no more', async () => {
  const session = startSession(tokensOf('old', 900_000))
  answer = (path) =>
    path === '/auth/refresh-tokens'
      ? { status: 200, body: tokensOf('new', 900_000) }
      : refusal(401, 'Unauthenticated')
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  const get = `/users/${USER_ID}`
  expect(calls).toEqual([`${get} old`, '/auth/refresh-tokens', `${get} new`])
})

test('a refused refresh logs out and rejects with 401', async () => {
  const session = startSession(tokensOf('old', -1))
  answer = () => refusal(401, 'RefreshTokenInvalid')
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(session.read()).toMatchObject({ status: 'logged-out', by: 'server' })
  expect(calls).toEqual(['/auth/refresh-tokens'])
})

const unanswered = [
  ['has no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['finds a server without a word', () => ({ status: 502 })],
  ['finds a broken server', () => refusal(500, 'InternalError')],
  ['is one of too many', () => refusal(429, 'TooManyRequests')],
] as const

test.each(unanswered)('a refresh that %s logs nobody out', async (_, reply) => {
  const tokens = tokensOf('old', -1)
  const session = startSession(tokens)
  answer = reply
  await expect(session.callAs(...getUser)).rejects.not.toMatchObject({ code: 401 })
  expect(session.read()).toMatchObject({ status: 'logged-in', tokens })
  expect(new Set(calls)).toEqual(new Set(['/auth/refresh-tokens']))

  answer = (path) =>
    path === '/auth/refresh-tokens'
      ? { status: 200, body: tokensOf('new', 900_000) }
      : { status: 200, body: user }
  await expect(session.callAs(...getUser)).resolves.toMatchObject({ id: USER_ID })
  expect(session.read()).toMatchObject({ status: 'logged-in', tokens: tokensOf('new', 900_000) })
})

test('an answer that is lost is asked for again, a server that is gone is not waited for', async () => {
  const session = startSession(tokensOf('old', -1))
  answer = () => ({ status: 503 })
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 500 })
  expect(calls).toHaveLength(3)
  expect(pauses).toEqual([500, 1000])
})

test('a device that knows it has no network does not wait for one', async () => {
  const session = startSession(tokensOf('old', -1))
  vi.stubGlobal('navigator', { onLine: false })
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 500 })
  expect(calls).toHaveLength(1)
  expect(session.read().status).toBe('logged-in')
})

test('a clock that is far ahead does not make every call refresh', async () => {
  const session = startSession(tokensOf('old', -1))
  answer = (path, token) => {
    if (path === '/auth/refresh-tokens') return { status: 200, body: tokensOf('new', -1) }
    return token === 'new' ? { status: 200, body: user } : refusal(401, 'Unauthenticated')
  }
  for (let made = 0; made < 3; made += 1) await session.callAs(...getUser)
  const get = `/users/${USER_ID} new`
  expect(calls).toEqual(['/auth/refresh-tokens', get, get, get])
  answer = (path, token) => {
    if (path === '/auth/refresh-tokens') return { status: 200, body: tokensOf('newer', -1) }
    return token === 'newer' ? { status: 200, body: user } : refusal(401, 'Unauthenticated')
  }
  await session.callAs(...getUser)
  expect(calls.slice(4)).toEqual([get, '/auth/refresh-tokens', `/users/${USER_ID} newer`])
})

test('an expired refresh token logs out without asking', async () => {
  const session = startSession(tokensOf('old', -1, -1))
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(session.read()).toMatchObject({ status: 'logged-out', by: 'server' })
  expect(calls).toEqual([])
})

test('a login whose tokens are both over by this clock stays, also after a reload', async () => {
  answer = (path) => {
    if (path === '/auth/login') {
      return { status: 200, body: { data: { user, tokens: tokensOf('over', -1, -1) } } }
    }
    if (path === '/auth/refresh-tokens') return { status: 200, body: tokensOf('new', -1, -1) }
    return { status: 200, body: user }
  }
  const session = startSession(null)
  await session.logIn(credentials)
  const get = `/users/${USER_ID} new`
  expect(calls).toEqual(['/auth/login', '/auth/refresh-tokens', get])

  const stored = session.readStored()
  if (stored.status === 'logged-out') throw new Error('The login was not stored.')
  const reloaded = startSession(stored.tokens)
  await reloaded.loadUser()
  expect(calls.slice(3)).toEqual([get])
  expect(reloaded.readStored()).toMatchObject({ status: 'logged-in' })
})

test('a registration whose tokens are both over by this clock stays', async () => {
  answer = (path) => {
    if (path === '/auth/register') {
      return { status: 201, body: { data: { user, tokens: tokensOf('over', -1, -1) } } }
    }
    if (path === '/auth/refresh-tokens') return { status: 200, body: tokensOf('new', -1, -1) }
    return { status: 200, body: user }
  }
  const session = startSession(null)
  const { first_name, last_name, nationality } = user
  await session.register({ ...credentials, first_name, last_name, nationality }, '/buy')
  await session.callAs(...getUser)
  expect(calls).toEqual(['/auth/register', '/auth/refresh-tokens', `/users/${USER_ID} new`])
})

test('logged out, a call for users is rejected with 401 and not sent', async () => {
  const session = startSession(null)
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(calls).toEqual([])
})

test.each([
  ['EmailNotVerified', refusal(403, 'EmailNotVerified')],
  ['EmailNotVerified', bareRefusal(403, 'Email must be verified')],
  ['PasswordChangeRequired', refusal(403, 'PasswordChangeRequired')],
  ['PasswordChangeRequired', bareRefusal(403, 'Password change required')],
])(
  'after the login, %s from the load of the user keeps the session: %o',
  async (obstacle, reply) => {
    const session = startSession(null)
    answer = (path) =>
      path === '/auth/login'
        ? { status: 200, body: { data: { user, tokens: tokensOf('new', 900_000) } } }
        : reply
    await session.logIn(credentials)
    expect(session.read()).toMatchObject({ status: 'logged-in', user, obstacle })
  },
)

test.each([900_000, -1])(
  'a login whose access token is over is traded in first; the new one lives %d ms by this clock',
  async (livesMs) => {
    const session = startSession(null)
    answer = (path) => {
      if (path === '/auth/login') return { status: 200, body: { data: loginOf('over', -1) } }
      if (path === '/auth/refresh-tokens') return { status: 200, body: tokensOf('new', livesMs) }
      return { status: 200, body: user }
    }
    await session.logIn(credentials)
    const get = `/users/${USER_ID} new`
    expect(calls).toEqual(['/auth/login', '/auth/refresh-tokens', get])
    expect(session.readStored()).toMatchObject({ tokens: { access: { token: 'new' } } })
    await session.loadUser()
    expect(calls.slice(3)).toEqual([get])
  },
)

test('a login whose tokens can no longer be refreshed leaves nobody logged in', async () => {
  const session = startSession(null)
  answer = (path) =>
    path === '/auth/login'
      ? { status: 200, body: { data: loginOf('over', -1) } }
      : refusal(401, 'RefreshTokenInvalid')
  await expect(session.logIn(credentials)).rejects.toMatchObject({ code: 401 })
  expect(calls).toEqual(['/auth/login', '/auth/refresh-tokens', '/auth/logout over'])
  expect(session.readStored().status).toBe('logged-out')
})

test('after the login, any other failure to load the user leaves nobody logged in', async () => {
  const session = startSession(null)
  answer = (path) =>
    path === '/auth/login'
      ? { status: 200, body: { data: { user, tokens: tokensOf('new', 900_000) } } }
      : refusal(404, 'NotFound')
  await expect(session.logIn(credentials)).rejects.toMatchObject({ code: 404 })
  expect(session.read().status).toBe('logged-out')
})

test('what the server asks for is known from the load of the user, until it is done', async () => {
  const session = startSession(tokensOf('old', 900_000))
  answer = () => refusal(403, 'PasswordChangeRequired')
  await session.loadUser()
  expect(session.read()).toMatchObject({ obstacle: 'PasswordChangeRequired' })
  answer = () => ({ status: 200, body: user })
  await session.loadUser()
  expect(session.read()).toMatchObject({ status: 'logged-in', obstacle: null })
})

test('an answer that was on its way before the address was proved is asked for again', async () => {
  const session = startSession(tokensOf('old', 900_000))
  const unverified = { ...user, is_email_verified: false }
  answer = () => ({ status: 200, body: unverified })
  await session.loadUser()
  answer = () => {
    if (calls.length > 2) return { status: 200, body: { ...user, is_email_verified: true } }
    session.markEmailVerified()
    return { status: 200, body: unverified }
  }
  await session.loadUser()
  expect(session.read()).toMatchObject({ user: { is_email_verified: true } })
  expect(calls).toHaveLength(3)
})

test('an older answer never replaces a newer one, nor what was saved since it was asked for', async () => {
  const session = startSession(tokensOf('old', 900_000))
  const name = () => {
    const state = session.read()
    return state.status === 'logged-in' ? state.user.first_name : null
  }
  const held: ((first_name: string) => void)[] = []
  answer = () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    held.push((first_name) => resolve({ status: 200, body: { ...user, first_name } }))
    return promise
  }
  const loads = [session.loadUser(), session.loadUser()]
  await vi.waitFor(() => expect(held).toHaveLength(2))
  held[1]?.('Newer')
  await loads[1]
  held[0]?.('Older')
  await loads[0]
  expect(name()).toBe('Newer')

  const load = session.loadUser()
  await vi.waitFor(() => expect(held).toHaveLength(3))
  const save = session.updateUser({ first_name: 'Saved' })
  await vi.waitFor(() => expect(held).toHaveLength(4))
  held[3]?.('Saved')
  await save
  held[2]?.('Unsaved')
  await load
  expect(name()).toBe('Saved')
})

test('any call that is refused for what the server asks of the user first makes that known', async () => {
  const session = startSession(tokensOf('old', 900_000))
  answer = () => refusal(403, 'PasswordChangeRequired')
  const purchase = { body: { purchase_amount: 100, purchase_token_id: 'eth' }, headers: {} }
  await expect(
    session.callAs(transactionsContract.createTransaction, purchase),
  ).rejects.toMatchObject({ reason: 'PasswordChangeRequired' })
  expect(session.read()).toMatchObject({
    status: 'logged-in',
    obstacle: 'PasswordChangeRequired',
  })
})

test('what another tab refreshed is used instead of a second refresh', async () => {
  const session = startSession(tokensOf('old', -1))
  session.storeElsewhere(loggedInAs(user, tokensOf('elsewhere', 900_000)))
  answer = () => ({ status: 200, body: user })
  await session.loadUser()
  expect(calls).toEqual([`/users/${USER_ID} elsewhere`])
})

const grace = { ...user, id: '0b9f8a1e-2c7d-4f7a-8a43-6a0f2f1f7a55', first_name: 'Grace' }

test('the tokens of a user whom another tab logged in are not used for an earlier call', async () => {
  const session = startSession(tokensOf('old', 900_000))
  const other = loggedInAs(grace, tokensOf('of-grace', 900_000))
  session.storeElsewhere(other)
  answer = () => refusal(404, 'NotFound')
  await session.loadUser()
  expect(calls).toEqual([])
  expect(session.read()).toEqual(other)
  expect(session.readStored()).toBe(other)
})

test('a session that ends while another tab logged somebody in gives way to that one', async () => {
  const session = startSession(tokensOf('old', -1))
  const other = loggedInAs(grace, tokensOf('of-grace', 900_000))
  answer = () => {
    session.storeElsewhere(other)
    return refusal(401, 'RefreshTokenInvalid')
  }
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(session.read()).toEqual(other)
  expect(session.readStored()).toBe(other)
})

test('tokens that arrive after the logout are given back', async () => {
  const session = startSession(tokensOf('old', -1))
  answer = (path) => {
    if (path !== '/auth/refresh-tokens') return { status: 204 }
    session.clear()
    return { status: 200, body: tokensOf('late', 900_000) }
  }
  await expect(session.callAs(...getUser)).rejects.toMatchObject({ code: 401 })
  expect(calls).toEqual(['/auth/refresh-tokens', '/auth/logout late'])
  expect(session.read()).toMatchObject({ status: 'logged-out', by: 'user' })
})

test('a reply without a body of the server is an internal server error', async () => {
  const session = startSession(null)
  answer = () => ({ status: 502 })
  await expect(session.logIn(credentials)).rejects.toMatchObject({
    code: 500,
    message: 'Internal server error',
  })
})

test('a logout is sent to the server and clears the session', async () => {
  const session = startSession(tokensOf('old', 900_000))
  answer = () => ({ status: 204 })
  await session.logOut()
  expect(calls).toEqual(['/auth/logout old'])
  expect(session.read()).toMatchObject({ status: 'logged-out', by: 'user' })
})
