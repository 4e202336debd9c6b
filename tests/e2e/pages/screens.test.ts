import { expect, type Page } from '@playwright/test'

import { WRONG_ADDRESS } from '#tests/e2e/kit/faults.ts'
import { enter, openFromSidebar, storeSession } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const SITE = 'HUH Token presale'

const openPages = [
  { path: '/terms', title: 'Terms and Conditions' },
  { path: '/privacy-policy', title: 'Privacy Policy' },
  { path: '/info', title: 'Info' },
  { path: '/sandbox', title: 'Sandbox' },
  { path: WRONG_ADDRESS, title: 'Page not found' },
]
const pagesForVisitors = [
  { path: '/login', title: 'Login' },
  { path: '/register', title: 'Register' },
  { path: '/forgot-password', title: 'Forgot password' },
  { path: '/reset-password', title: 'Reset Password' },
]
/** In the order of the sidebar. */
const pagesForUsers = [
  { path: '/', title: 'Dashboard' },
  { path: '/account', title: 'Account' },
  { path: '/buy', title: 'Buy' },
  { path: '/referrals', title: 'Referrals' },
  { path: '/promotions', title: 'Promotions' },
]

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Simon')
  await registerPerson(product.address, person)
})

async function expectPage(page: Page, path: string, title: string): Promise<void> {
  await expect(page).toHaveTitle(`${title} · ${SITE}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(path)
}

test('a visitor opens every page that is for visitors', async ({ page }) => {
  for (const { path, title } of [...pagesForVisitors, ...openPages]) {
    await test.step(path, async () => {
      await page.goto(path)
      await expectPage(page, path, title)
      await takePictures(page, `page-${title.toLowerCase().replaceAll(' ', '-')}`)
    })
  }
})

test('a user opens every page from the sidebar', async ({ page }) => {
  await enter(page, person)
  const entries = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await expect(entries).toHaveText([...pagesForUsers.map(({ title }) => title), 'Info'])
  for (const { path, title } of pagesForUsers) {
    await test.step(path, async () => {
      await openFromSidebar(page, title)
      await expectPage(page, path, title)
      await expect(entries.filter({ hasText: title })).toHaveAttribute('aria-current', 'page')
      await takePictures(page, `page-${title.toLowerCase()}`)
    })
  }
})

test('a page that is opened directly is the same page', async ({ page }) => {
  await storeSession(page, person)
  for (const { path, title } of [...pagesForUsers, ...openPages]) {
    await test.step(path, async () => {
      await page.goto(path)
      await expectPage(page, path, title)
    })
  }
})

test('a page of the account sends a visitor to the login', async ({ page }) => {
  for (const { path } of pagesForUsers) {
    await test.step(path, () => expectReplaced(page, path, '/login'))
  }
})

test('a page for visitors sends a user to the dashboard', async ({ page }) => {
  await enter(page, person)
  for (const { path } of pagesForVisitors) {
    await test.step(path, () => expectReplaced(page, path, '/'))
  }
})

test('a visitor on the way to a page gets there after the login', async ({ page }) => {
  await page.goto('/buy?usd_amount=250&token_id=btc')
  await page.waitForURL((url) => url.pathname === '/login')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/buy')
  await expect(page.getByLabel('I want to spend')).toHaveValue('250')
  await expect(page.getByRole('button', { name: /^Payment token/ })).toContainText('BTC')
})

test('the theme is switched, and remembered', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const dark = await ground()
  await page.getByRole('button', { name: /theme/i }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'blue')
  const blue = await ground()
  expect(blue).not.toBe(dark)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'blue')
  expect(await ground()).toBe(blue)
  await page.getByRole('button', { name: /theme/i }).click()
  await page.reload()
  expect(await ground()).toBe(dark)
})

/** `target` replaces `path`: a step back goes to what was before both. */
async function expectReplaced(page: Page, path: string, target: string): Promise<void> {
  await page.goto('/terms')
  await page.goto(path)
  await page.waitForURL((url) => url.pathname === target)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/terms')
}
