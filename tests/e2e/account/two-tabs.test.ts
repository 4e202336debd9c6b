import { type BrowserContext, expect, type Page } from '@playwright/test'

import { changeTokens, LONG_AGO, readTokens } from '#tests/e2e/kit/account.ts'
import { buyByHttp, holdBack } from '#tests/e2e/kit/buying.ts'
import { enter, logIn, storeSession, transactionRows } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Tilda')
  await registerPerson(product.address, person)
})

/** Counts the refreshes of all tabs, none of which is answered before `released`. */
async function watchRefreshes(
  context: BrowserContext,
  released: Promise<void> = Promise.resolve(),
): Promise<{ count: number }> {
  const refreshes = { count: 0 }
  await context.route('**/api/v1/auth/refresh-tokens', async (route) => {
    refreshes.count += 1
    await released
    await route.continue()
  })
  return refreshes
}

async function endAccess(page: Page): Promise<void> {
  await changeTokens(page, (tokens) => ({
    ...tokens,
    access: { ...tokens.access, expires: LONG_AGO },
  }))
}

test('tabs that need new tokens at once make one refresh, also over a slow network', async ({
  page,
  context,
}) => {
  await enter(page, person)
  const tabs = [page, await context.newPage(), await context.newPage()]
  await endAccess(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const refreshes = await watchRefreshes(context, released)
  await Promise.all(tabs.map((tab) => tab.goto('/account')))
  for (const tab of tabs) {
    await expect(tab.getByLabel('First name')).toHaveValue(person.first_name)
  }
  release()
  for (const tab of tabs) await expect(tab.getByText('This device')).toBeVisible()
  expect(refreshes.count).toBe(1)
  const stored = await Promise.all(tabs.map((tab) => readTokens(tab)))
  expect(new Set(stored.map(({ access }) => access.token)).size).toBe(1)
})

test('a tab that opens right after another has refreshed uses the new tokens', async ({
  page,
  context,
}) => {
  await enter(page, person)
  const other = await context.newPage()
  await other.goto('/terms')
  const refreshes = await watchRefreshes(context)
  const refreshed = context.waitForEvent('response', (reply) =>
    reply.url().endsWith('/auth/refresh-tokens'),
  )
  // Its page's remaining requests would refresh before it is opened again.
  await page.goto('/robots.txt')
  await endAccess(page)
  await page.goto('/')
  await refreshed
  await other.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(other.getByText('This device')).toBeVisible()
  await expect(page.getByText('No transactions')).toBeVisible()
  expect(refreshes.count).toBe(1)
})

test('a logout in one tab logs out the others', async ({ page, context }) => {
  await enter(page, person)
  const other = await context.newPage()
  await other.goto('/account')
  await expect(other.getByText('This device')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await other.waitForURL((url) => url.pathname === '/login')
  await expect(other.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
})

test('a logout during a refresh of another tab stays one', async ({ page, context, product }) => {
  await enter(page, person)
  const other = await context.newPage()
  // It shares the storage and has no scripts, so that the refresh is the page's own.
  await other.goto('/robots.txt')
  await endAccess(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/api/v1/auth/refresh-tokens', async (route) => {
    await released
    await route.continue()
  })
  const begun = context.waitForEvent('request', (request) =>
    request.url().endsWith('/auth/refresh-tokens'),
  )
  const ended = context.waitForEvent('response', (reply) => reply.url().endsWith('/auth/logout'))
  await page.goto('/')
  await begun
  await other.evaluate(() => {
    // Like a logout that the server did not answer in time.
    for (const name of ['user', 'tokens', 'loggedIn']) localStorage.removeItem(`presale.${name}`)
  })
  await page.waitForURL((url) => url.pathname === '/login')
  release()
  // The new tokens from a late refresh are given back to the server.
  expect((await ended).status()).toBe(204)
  expect(await readTokens(page)).toBeNull()
  await page.goto(`${product.address}/account`)
  await page.waitForURL((url) => url.pathname === '/login')
})

test('another user who logs in in another tab is shown in all of them', async ({
  page,
  context,
  product,
}) => {
  const another = somebody('Anna')
  await registerPerson(product.address, another)
  await enter(page, person)
  const other = await context.newPage()
  await other.goto('/account')
  await expect(other.getByLabel('First name')).toHaveValue(person.first_name)
  // Whatever it had not asked for yet would be refused once its session is over.
  await expect(other.getByText('This device')).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await logIn(page, another.email, another.password)
  await page.waitForURL((url) => url.pathname === '/')
  await other.waitForURL((url) => url.pathname === '/account')
  await expect(other.getByLabel('First name')).toHaveValue(another.first_name)
  await expect(other.getByLabel('Email', { exact: true })).toHaveValue(another.email)
  await expect(other.getByText('This device')).toBeVisible()
})

test('what was loaded for one user is not shown to the next, not even while theirs is loading', async ({
  page,
  context,
  product,
}) => {
  const [before, after] = [somebody('Bert'), somebody('Alma')]
  await buyByHttp(product.address, await registerPerson(product.address, before), 100)
  const { user } = await registerPerson(product.address, after)
  await enter(page, before)
  const purchase = transactionRows(page).getByText('Pending')
  await expect(purchase).toBeVisible()
  const path = `/api/v1/users/${user.id}/transactions`
  await holdBack(page, `**${path}?*`)
  const asked = page.waitForRequest((request) => request.url().includes(path))
  // The tab follows whatever another one stores, and so never shows the login between the two.
  await storeSession(await context.newPage(), after)
  await asked
  await expect(purchase).toHaveCount(0)
  await page.unroute(`**${path}?*`)
  await expect(page.getByText('No transactions')).toBeVisible()
})
