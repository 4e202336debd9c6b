import { expect } from '@playwright/test'

import { usersContract } from '#contract/users.ts'
import {
  changeTokens,
  excuseStatus,
  listenToCalls,
  LONG_AGO,
  readStored,
  readTokens,
  type StoredTokens,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { spendField } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, leaveProduct, logIn, openFromSidebar } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff } from '#tests/e2e/kit/sale.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person
let account: LoggedIn

test.beforeAll(async ({ product }) => {
  person = somebody('Sara')
  account = await registerPerson(product.address, person)
})

const REFRESH = '/auth/refresh-tokens'

test('an expired access token is refreshed once, before any call for users', async ({ page }) => {
  await enter(page, person)
  const before = await readTokens(page)
  await changeTokens(page, (tokens) => ({
    ...tokens,
    access: { ...tokens.access, expires: LONG_AGO },
  }))
  const calls = listenToCalls(page)
  const bearers: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/users/')) bearers.push(request.headers()['authorization'])
  })
  await page.goto('/')
  await expect(page.getByText('No transactions')).toBeVisible()
  expect(calls.filter((path) => path === REFRESH)).toHaveLength(1)
  const forUsers = calls.findIndex((path) => path.startsWith('/users/'))
  expect(calls.indexOf(REFRESH)).toBeLessThan(forUsers)
  const after = await readTokens(page)
  expect(after.access.token).not.toBe(before.access.token)
  expect(after.refresh.token).not.toBe(before.refresh.token)
  expect(new Set(bearers)).toEqual(new Set([`Bearer ${after.access.token}`]))
})

const withoutAccess = [
  ['is not stored', { access: undefined }],
  ['is null', { access: null }],
  ['is empty', { access: { token: '', expires: '2999-01-01T00:00:00.000Z' } }],
  ['cannot be read', { access: { token: 5 } }],
] as const

test('without an access token one is asked for first, and the page stays', async ({ page }) => {
  await enter(page, person)
  const calls = listenToCalls(page)
  for (const [what, access] of withoutAccess) {
    await test.step(what, async () => {
      await changeTokens(page, (tokens) => ({ ...tokens, ...access }))
      calls.length = 0
      await page.goto('/account')
      await expect(page.getByText('This device')).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/account')
      expect(calls.filter((path) => path === REFRESH)).toHaveLength(1)
      const forUsers = calls.findIndex((path) => path.startsWith('/users/'))
      expect(calls.indexOf(REFRESH)).toBeLessThan(forUsers)
      expect((await readTokens(page)).access.token).toMatch(/./)
    })
  }
})

test('a login whose access token has already expired refreshes it before loading the user', async ({
  page,
}) => {
  await page.route('**/api/v1/auth/login', async (route) => {
    const reply = await route.fetch()
    const { data } = (await reply.json()) as { data: { tokens: StoredTokens } }
    const access = { ...data.tokens.access, expires: LONG_AGO }
    const json = { data: { ...data, tokens: { ...data.tokens, access } } }
    await route.fulfill({ response: reply, json })
  })
  await page.goto('/login')
  const calls = listenToCalls(page)
  const asker = page.waitForRequest(/\/api\/v1\/users\//)
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  const ofUser = calls.filter((path) => path.startsWith('/auth/') || path.startsWith('/users/'))
  expect(ofUser.slice(0, 3)).toEqual(['/auth/login', REFRESH, `/users/${account.user.id}`])
  const { access } = await readTokens(page)
  expect((await asker).headers()['authorization']).toBe(`Bearer ${access.token}`)
})

test('a call that is refused with a 401 refreshes and is made once more', async ({
  page,
  faults,
}) => {
  await enter(page, person)
  await changeTokens(page, (tokens) => ({
    ...tokens,
    access: { ...tokens.access, token: `${tokens.access.token}x` },
  }))
  const calls = listenToCalls(page)
  const refused: string[] = []
  page.on('response', (reply) => {
    if (reply.status() === 401) refused.push(new URL(reply.url()).pathname.slice('/api/v1'.length))
  })
  await page.goto('/referrals')
  await expect(page.getByText(`/register?referral=${account.user.id}`)).toBeVisible()
  excuseStatus(faults, 401)
  expect(calls.filter((path) => path === REFRESH)).toHaveLength(1)
  // It is up to the browser which calls were in progress before the refresh.
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused).size).toBe(refused.length)
  // The stream of events connects again after a pause of its own.
  await expect
    .poll(() => calls.slice(calls.indexOf(REFRESH)))
    .toEqual(expect.arrayContaining(refused))
})

test('a refresh that fails logs out, and the login leads back', async ({ page, faults }) => {
  await enter(page, person)
  await changeTokens(page, () => ({
    access: { token: 'gone', expires: LONG_AGO },
    refresh: { token: 'no-such-token', expires: LONG_AGO },
  }))
  await page.goto('/account')
  await page.waitForURL((url) => url.pathname === '/login')
  expect(Object.keys(await readStored(page))).toEqual(['banners'])
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/account')
  excuseStatus(faults, 401)
})

test('what was typed to buy survives a session that ends meanwhile', async ({
  page,
  product,
  faults,
}) => {
  const buyer = somebody('Selma')
  const { user, accessToken } = await registerPerson(product.address, buyer)
  await enter(page, buyer)
  await page.goto('/buy')
  await spendField(page).fill('432.1')
  const params = { id: user.id }
  await callProduct(product.address, usersContract.endSessions, { params }, accessToken)
  await spendField(page).press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, buyer.email, buyer.password)
  await expect(spendField(page)).toHaveValue('432.1')
  // Whoever comes to the page otherwise begins anew.
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await expect(spendField(page)).toHaveValue('1000')
  excuseStatus(faults, 401)
})

test('a refresh that reaches no server logs nobody out, and is made once one is there', async ({
  page,
  faults,
}) => {
  await enter(page, person)
  await changeTokens(page, (tokens) => ({
    ...tokens,
    access: { ...tokens.access, expires: LONG_AGO },
  }))
  const isAway = `**/api/v1${REFRESH}`
  await page.route(isAway, (route) => route.abort('connectionrefused'))
  await page.goto('/account')
  const retries = page.getByRole('main').getByRole('button', { name: 'Try again' })
  // Of sessions, two-factor login and the receiving wallet.
  await expect(retries).toHaveCount(3, { timeout: 30_000 })
  await expect(page.getByLabel('First name')).toHaveValue(person.first_name)
  expect((await readStored(page))['loggedIn']).toBe('boolean:true')
  expect(new URL(page.url()).pathname).toBe('/account')

  await page.unroute(isAway)
  for (const left of [2, 1, 0]) {
    await retries.first().click()
    await expect(retries).toHaveCount(left)
  }
  await expect(page.getByText('This device')).toBeVisible()
  expect((await readTokens(page)).access.expires).not.toBe(LONG_AGO)
  allowCutOff(faults)
})

test('without a network nobody is logged out, however long it lasts', async ({
  page,
  context,
  faults,
}) => {
  await page.clock.install()
  await enter(page, person, '/account')
  await expect(page.getByText('This device')).toBeVisible()
  await context.setOffline(true)
  // The access token has expired by then.
  await page.clock.fastForward('20:00')
  const download = page.getByRole('button', { name: 'Download my data' })
  await download.click()
  await expect(toastOf(page, 'Internal server error')).toHaveRole('alert')
  expect((await readStored(page))['loggedIn']).toBe('boolean:true')
  await context.setOffline(false)
  const file = page.waitForEvent('download')
  await download.click()
  await file
  expect(new URL(page.url()).pathname).toBe('/account')
  allowCutOff(faults)
})

test('a device whose clock is far ahead stays logged in, also after a reload', async ({ page }) => {
  const inSixtyDays = new Date()
  inSixtyDays.setDate(inSixtyDays.getDate() + 60)
  await page.clock.install({ time: inSixtyDays })
  await page.goto('/login')
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/account')
})

test('a refresh token that is over or missing logs out without a call', async ({ page }) => {
  await enter(page, person)
  const calls = listenToCalls(page)
  const past = '"expires":"2020-01-01T00:00:00.000Z"'
  const over = `{"access":{"token":"a",${past}},"refresh":{"token":"r",${past}}}`
  for (const left of [over, '{}', '{"access":null,"refresh":null}', null]) {
    await leaveProduct(page)
    await page.evaluate((tokens) => {
      if (tokens === null) localStorage.removeItem('presale.tokens')
      else localStorage.setItem('presale.tokens', `string:${tokens}`)
      localStorage.setItem('presale.loggedIn', 'boolean:true')
    }, left)
    await page.goto('/account')
    await page.waitForURL((url) => url.pathname === '/login')
    expect(Object.keys(await readStored(page))).toEqual(['banners'])
  }
  expect(calls).not.toContain(REFRESH)
})

test('a server that is away for a moment logs nobody out', async ({ page, faults }) => {
  await enter(page, person)
  await page.route('**/api/v1/users/*', (route) => route.fulfill({ status: 503, body: '' }))
  const asked = page.waitForResponse((reply) => /\/users\/[\w-]+$/.test(reply.url()))
  await page.reload()
  await asked
  // By the time that this has been asked for and shown, the page has read the reply.
  await openFromSidebar(page, 'Account')
  await expect(page.getByText('This device')).toBeVisible()
  expect((await readStored(page))['loggedIn']).toBe('boolean:true')
  expect(new URL(page.url()).pathname).toBe('/account')
  excuseStatus(faults, 503)
})
