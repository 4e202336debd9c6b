import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionTokens, User } from '#contract/shapes.ts'
import type { SessionState } from './session-state.ts'
import { localSessionStorage } from './session-storage.ts'
import { createSessionStore } from './session-store.ts'

let entries: Map<string, string>

beforeEach(() => {
  entries = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const user: User = {
  id: '6f2f0c3e-7d0e-4d2a-9a55-0d8f6a3b1c11',
  first_name: 'Ada',
  last_name: 'Lovelace',
  nationality: 'GB',
  mobile: null,
  email: 'ada@example.com',
  is_email_verified: false,
  signup_date: '2026-01-01T00:00:00.000Z',
  tokens: { base: 0, bonuses: 0, total: 0 },
  paid_amount_fiat: 0,
  language: 'en',
}

function tokens(name: string): SessionTokens {
  const expires = '2026-01-01T00:15:00.000Z'
  return { access: { token: name, expires }, refresh: { token: `refresh ${name}`, expires } }
}

const loggedOut: SessionState = { status: 'logged-out', by: 'nobody', dismissedBanners: [] }
const loggedIn = {
  status: 'logged-in',
  user,
  tokens: tokens('one'),
  obstacle: null,
  landing: null,
  dismissedBanners: ['welcome'],
} satisfies SessionState

test('a session is read as it was stored, each value with the tag of its type', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  expect(localSessionStorage.read()).toEqual(loggedIn)
  expect(entries.get('presale.loggedIn')).toBe('boolean:true')
  expect(entries.get('presale.user')).toMatch(/^string:/)
})

test('a logout leaves neither user nor tokens behind', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  localSessionStorage.write(loggedOut, loggedIn)
  expect(localSessionStorage.read()).toEqual(loggedOut)
  expect([...entries.keys()]).toEqual(['presale.banners'])
})

test('a change of the user does not put old tokens over those that another tab has refreshed', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  const refreshedElsewhere = { ...loggedIn, tokens: tokens('two') }
  localSessionStorage.write(refreshedElsewhere, loggedIn)
  const renamed = { ...loggedIn, user: { ...user, first_name: 'Grace' } }
  localSessionStorage.write(renamed, loggedIn)
  expect(localSessionStorage.read()).toMatchObject({
    user: { first_name: 'Grace' },
    tokens: tokens('two'),
  })
})

test('what arrives after another tab logged out is not stored', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  localSessionStorage.write(loggedOut, loggedIn)
  localSessionStorage.write({ ...loggedIn, tokens: tokens('late') }, loggedIn)
  expect(localSessionStorage.read().status).toBe('logged-out')
  expect(entries.has('presale.tokens')).toBe(false)
})

test('what arrives after another tab logged somebody else in is not mixed with the other', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  localSessionStorage.write(loggedOut, loggedIn)
  const grace = { ...user, id: '0b9f8a1e-2c7d-4f7a-8a43-6a0f2f1f7a55', first_name: 'Grace' }
  const other = { ...loggedIn, user: grace, tokens: tokens('of the other') }
  localSessionStorage.write(other, loggedOut)
  localSessionStorage.write({ ...loggedIn, tokens: tokens('late') }, loggedIn)
  localSessionStorage.write({ ...loggedIn, user: { ...user } }, loggedIn)
  expect(localSessionStorage.read()).toEqual(other)
})

test('what another version or hand has written counts as logged out', () => {
  localSessionStorage.write(loggedIn, loggedOut)
  entries.set('presale.tokens', 'string:{"access":1}')
  expect(localSessionStorage.read().status).toBe('logged-out')
})

test.each([
  ['missing', {}],
  ['null', { access: null }],
  ['empty', { access: { token: '', expires: '2026-01-01T00:15:00.000Z' } }],
  ['unreadable', { access: 1 }],
])('an access token that is %s leaves the session, to be refreshed', (_, access) => {
  localSessionStorage.write(loggedIn, loggedOut)
  const { refresh } = loggedIn.tokens
  entries.set('presale.tokens', `string:${JSON.stringify({ ...access, refresh })}`)
  const tokens = { access: null, refresh }
  expect(localSessionStorage.read()).toEqual({ ...loggedIn, tokens })
})

test.each(['tokens', 'user'])(
  'a session whose %s are gone is cleared when the page opens',
  (name) => {
    localSessionStorage.write(loggedIn, loggedOut)
    entries.delete(`presale.${name}`)
    const store = createSessionStore({ ...localSessionStorage, watch: () => () => undefined })
    expect(store.read()).toEqual({ status: 'logged-out', by: 'server', dismissedBanners: [] })
    expect([...entries]).toEqual([['presale.banners', 'string:[]']])
  },
)

test('what another tab is storing at this moment is not cleared', () => {
  entries.set('presale.user', `string:${JSON.stringify(user)}`)
  createSessionStore({ ...localSessionStorage, watch: () => () => undefined })
  expect([...entries.keys()]).toEqual(['presale.user'])
})
