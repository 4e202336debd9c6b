import { expect, test } from 'vitest'
import type { SessionTokens, User } from '#contract/shapes.ts'
import { reduceSession, type SessionAction, type SessionState } from './session-state.ts'

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
  return { access: { token: `access ${name}`, expires }, refresh: { token: name, expires } }
}

const loggedOut: SessionState = { status: 'logged-out', by: 'nobody', dismissedBanners: [] }
const login = {
  type: 'logged-in',
  user,
  tokens: tokens('one'),
  obstacle: null,
  landing: null,
} satisfies SessionAction

function after(...actions: SessionAction[]): SessionState {
  return actions.reduce(reduceSession, loggedOut)
}

test('a login stores user and tokens, and shows every banner again', () => {
  expect(after({ type: 'banner-dismissed', id: 'welcome' }, login)).toEqual({
    status: 'logged-in',
    user,
    tokens: tokens('one'),
    obstacle: null,
    landing: null,
    dismissedBanners: [],
  })
})

test('a logout leaves nothing of the user, and says who did it', () => {
  const state = after(
    login,
    { type: 'banner-dismissed', id: 'welcome' },
    { type: 'logged-out', by: 'user' },
  )
  expect(state).toEqual({ status: 'logged-out', by: 'user', dismissedBanners: [] })
})

test('what arrives after the logout changes nothing', () => {
  const late: SessionAction[] = [
    { type: 'tokens-refreshed', tokens: tokens('two') },
    { type: 'user-loaded', user },
    { type: 'obstacle-met', obstacle: 'PasswordChangeRequired' },
    { type: 'email-verified' },
  ]
  for (const action of late) expect(after(action)).toBe(loggedOut)
})

test('a refresh replaces the tokens, a load the user', () => {
  const renamed = { ...user, first_name: 'Grace' }
  const state = after(
    login,
    { type: 'tokens-refreshed', tokens: tokens('two') },
    { type: 'user-loaded', user: renamed },
  )
  expect(state).toMatchObject({ tokens: tokens('two'), user: renamed })
})

test('a verified address is marked at once', () => {
  expect(after(login, { type: 'email-verified' })).toMatchObject({
    user: { is_email_verified: true },
  })
})

test('what the server asks for is known until it is done', () => {
  const unverified = after({ ...login, obstacle: 'EmailNotVerified' })
  expect(unverified).toMatchObject({ obstacle: 'EmailNotVerified' })
  expect(reduceSession(unverified, { type: 'email-verified' })).toMatchObject({ obstacle: null })
  const flagged = after(login, { type: 'obstacle-met', obstacle: 'PasswordChangeRequired' })
  expect(reduceSession(flagged, { type: 'email-verified' })).toMatchObject({
    obstacle: 'PasswordChangeRequired',
  })
  expect(reduceSession(flagged, { type: 'obstacle-met', obstacle: null })).toMatchObject({
    obstacle: null,
  })
})

test('the landing of a registration is used once', () => {
  const registered = after({ ...login, landing: '/buy?usd_amount=50' })
  expect(registered).toMatchObject({ landing: '/buy?usd_amount=50' })
  expect(reduceSession(registered, { type: 'landed' })).toMatchObject({ landing: null })
})

test('a banner is dismissed once', () => {
  const once = after({ type: 'banner-dismissed', id: 'welcome' })
  expect(once.dismissedBanners).toEqual(['welcome'])
  expect(reduceSession(once, { type: 'banner-dismissed', id: 'welcome' })).toBe(once)
})

test('what another tab did is taken over', () => {
  const other = { ...after(login), tokens: tokens('elsewhere') }
  expect(after({ type: 'read-again', stored: other })).toMatchObject({ status: 'logged-in', user })
  expect(reduceSession(other, { type: 'read-again', stored: loggedOut })).toMatchObject({
    status: 'logged-out',
    by: 'server',
  })
  const flagged = after({ ...login, obstacle: 'PasswordChangeRequired', landing: '/buy' })
  expect(reduceSession(flagged, { type: 'read-again', stored: other })).toMatchObject({
    tokens: tokens('elsewhere'),
    obstacle: 'PasswordChangeRequired',
    landing: '/buy',
  })
  const unverified = after({ ...login, obstacle: 'EmailNotVerified' })
  const verified = after({ ...login, user: { ...user, is_email_verified: true } })
  expect(reduceSession(unverified, { type: 'read-again', stored: verified })).toEqual(verified)
})

test('somebody else who logged in in another tab is taken over whole', () => {
  const flagged = after({ ...login, obstacle: 'PasswordChangeRequired', landing: '/buy' })
  const grace = { ...user, id: '0b9f8a1e-2c7d-4f7a-8a43-6a0f2f1f7a55', first_name: 'Grace' }
  const stored = after({ ...login, user: grace })
  expect(reduceSession(flagged, { type: 'read-again', stored })).toEqual(stored)
})
