import { expect, type Page } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import {
  excuseStatus,
  expectBackLeadsTo,
  listenToCalls,
  mailedLink,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, logIn } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const NEW_PASSWORD = 'another horse 2'

let person: Person
let link: string

test.beforeAll(async ({ product }) => {
  person = somebody('Rosa')
  await registerPerson(product.address, person)
  const body = { email: person.email }
  await callProduct(product.address, authContract.forgotPassword, { body })
  link = await mailedLink(product.address, person.email, '/reset-password')
})

const field = (page: Page) => page.getByLabel('New Password')
const send = (page: Page) => page.getByRole('button', { name: 'Reset Password' })

test('the rules of a password are ticked as they are met, and its faults shown', async ({
  page,
}) => {
  await page.goto('/reset-password?token=some')
  await expect(page).toHaveTitle('Reset Password · HUH Token presale')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset Password')
  await expect(page.getByRole('main').locator('label')).toHaveText(['New Password'])
  await expect(field(page)).toHaveAttribute('autocomplete', 'new-password')
  await expect(field(page)).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(field(page)).toHaveAttribute('type', 'text')

  await send(page).click()
  await expect(field(page)).toHaveAccessibleDescription(/Can't be empty/)
  const met = page.getByRole('listitem').filter({ has: page.locator('.lucide-check') })
  const cases = [
    { typed: 'horse', rules: ['A letter'], fault: 'Minimum 8 character' },
    {
      typed: 'correct horse',
      rules: ['8 to 32 characters', 'A letter'],
      fault: 'Must have at least 1 number and 1 letter',
    },
    {
      typed: '123456789',
      rules: ['8 to 32 characters', 'A number'],
      fault: 'Must have at least 1 number and 1 letter',
    },
    {
      typed: '1 correct horse and 2 more, too long',
      rules: ['A letter', 'A number'],
      fault: 'Maximum 32 character',
    },
  ]
  for (const { typed, rules, fault } of cases) {
    await field(page).fill(typed)
    await expect(met).toHaveText(rules)
    await expect(field(page)).toHaveAccessibleDescription(new RegExp(fault))
  }
  await takePictures(page, 'reset-password')
  await expectAccessible(page, 'reset password with its error')
  await field(page).fill('correct horse 1')
  await expect(met).toHaveText(['8 to 32 characters', 'A letter', 'A number'])
  await expect(field(page)).not.toHaveAttribute('aria-invalid')
})

test('without a token nothing is sent, and that is reported for four seconds', async ({ page }) => {
  for (const path of ['/reset-password', '/reset-password?token=']) {
    await page.clock.install()
    await page.goto(path)
    await expect(page.getByText('Open this page with the whole link from our email')).toBeVisible()
    const way = page.getByRole('main').getByRole('link', { name: 'Request a new link' })
    await expect(way).toHaveAttribute('href', '/forgot-password')
    const calls = listenToCalls(page)
    await page.clock.pauseAt(Date.now() + 60_000)
    await field(page).fill(NEW_PASSWORD)
    await send(page).click()
    const toast = toastOf(page, 'No token provided')
    await expect(toast).toHaveRole('alert')
    await page.clock.runFor(3900)
    await expect(toast).not.toHaveClass(/opacity-0/)
    await page.clock.runFor(200)
    await expect(toast).toHaveClass(/opacity-0/)
    await page.clock.runFor(500)
    await expect(toast).toHaveCount(0)
    expect(calls.filter((path) => path.startsWith('/auth'))).toEqual([])
    await page.clock.resume()
  }
})

test('a link that is opened while logged in leads to the dashboard, which says why', async ({
  page,
}) => {
  await enter(page, person)
  await expect(page.getByRole('heading', { level: 1, name: 'DASHBOARD' })).toBeVisible()
  const notice = page.getByText(/^You are logged in: change your password/)
  await expect(notice).toHaveCount(0)
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === '/')
  await expect(notice).toBeVisible()
  await expectAccessible(page, 'dashboard after a link to reset a password')
  const way = page.getByRole('main').getByRole('link', { name: 'Change your password' })
  await way.click()
  await page.waitForURL((url) => url.pathname === '/account' && url.hash === '#password')
  // The mails about an account's safety lead there too.
  await page.goto('/forgot-password')
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByText(/^You are logged in: change your password/)).toBeVisible()
  await expect(way).toHaveAttribute('href', '/account#password')
  await page.goto('/login')
  await page.waitForURL((url) => url.pathname === '/')
  await expect(page.getByRole('heading', { level: 1, name: 'DASHBOARD' })).toBeVisible()
  await expect(page.getByText(/^You are logged in:/)).toHaveCount(0)
})

test('a reply without a message is reported in the words of the page', async ({ page, faults }) => {
  await page.goto('/reset-password?token=some')
  await page.route('**/api/v1/auth/reset-password?*', (route) =>
    route.fulfill({ status: 400, json: {} }),
  )
  await field(page).fill(NEW_PASSWORD)
  await send(page).click()
  await expect(toastOf(page, 'Error resetting password')).toHaveRole('alert')
  excuseStatus(faults, 400)
})

test('a mailed link sets the password once, and is replaced with the login', async ({
  page,
  faults,
}) => {
  await page.goto('/terms')
  await page.goto(link)
  await expect(send(page)).toBeVisible()
  await expect.poll(() => page.url(), 'the address without the token').not.toContain('token')
  // The token is known after a reload as well.
  await page.reload()
  await field(page).fill(NEW_PASSWORD)
  await send(page).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await expect(toastOf(page, 'Successfully reset password')).toBeVisible()
  await expectBackLeadsTo(page, '/terms')

  await page.goto(link)
  await field(page).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'This link is not valid any more. Ask for a new one')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/reset-password')
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.waitForURL((url) => url.pathname === '/forgot-password')

  await page.goto('/login')
  await logIn(page, person.email, NEW_PASSWORD)
  await page.waitForURL((url) => url.pathname === '/')
  excuseStatus(faults, 400)
})
