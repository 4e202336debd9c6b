import { expect, type Page } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import {
  changeTokens,
  excuseStatus,
  expectBackLeadsTo,
  listenToCalls,
  LONG_AGO,
  mailedLink,
  readStored,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { spendField } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter, logIn, openFromSidebar } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person
let link: string

test.beforeEach(async ({ product }) => {
  person = somebody('Vera')
  const { accessToken } = await registerPerson(product.address, person)
  await callProduct(product.address, authContract.sendVerificationEmail, {}, accessToken)
  link = await mailedLink(product.address, person.email, '/verify-email')
})

/** Returns what lets the server answer. */
async function holdVerification(page: Page): Promise<() => void> {
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/v1/auth/verify-email?*', async (route) => {
    await answer.promise
    await route.continue()
  })
  return answer.resolve
}

test('a mailed link verifies the user behind a spinner and leads to the dashboard', async ({
  page,
}) => {
  await enter(page, person, '/terms')
  const answer = await holdVerification(page)
  await page.goto(link)
  await expect(page).toHaveTitle('Verify email · HUH Token presale')
  await expect(page.getByRole('status').filter({ hasText: 'Verifying' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify email')
  await takePictures(page, 'verify-email')
  await expectAccessible(page, 'verify email')
  answer()
  await page.waitForURL((url) => url.pathname === '/')
  await expect(toastOf(page, 'Successfully verified user')).toBeVisible()
  expect((await readStored(page))['user']).toContain('"is_email_verified":true')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Resend/ })).toHaveCount(0)
  await page.goBack()
  await expectBackLeadsTo(page, '/terms')
})

test('whoever has gone to another page by the time of the answer stays there', async ({ page }) => {
  await enter(page, person, '/terms')
  const answer = await holdVerification(page)
  await page.goto(link)
  await expect(page.getByRole('status').filter({ hasText: 'Verifying' })).toBeVisible()
  await openFromSidebar(page, 'Buy')
  await spendField(page).fill('77')
  answer()
  await expect(toastOf(page, 'Successfully verified user')).toBeVisible()
  expect((await readStored(page))['user']).toContain('"is_email_verified":true')
  await openFromSidebar(page, 'Account')
  await expectBackLeadsTo(page, '/buy')
})

test('a link that is opened logged out works after the login', async ({ page }) => {
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === '/login')
  await logIn(page, person.email, person.password)
  await expect(toastOf(page, 'Successfully verified user')).toBeVisible()
  await page.waitForURL((url) => url.pathname === '/')
})

test('a link that is opened after the session has ended works after the login', async ({
  page,
  faults,
}) => {
  await enter(page, person, '/terms')
  await changeTokens(page, ({ access, refresh }) => ({
    access: { ...access, expires: LONG_AGO },
    refresh: { ...refresh, token: 'the token of a session that is over' },
  }))
  await page.route('**/api/v1/auth/refresh-tokens', async (route) => {
    await expect(page.getByRole('status').filter({ hasText: 'Verifying' })).toBeVisible()
    await route.continue()
  })
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === '/login')
  await logIn(page, person.email, person.password)
  await expect(toastOf(page, 'Successfully verified user')).toBeVisible()
  await expect(toastOf(page, 'Error verifying email')).toHaveCount(0)
  await page.waitForURL((url) => url.pathname === '/')
  excuseStatus(faults, 401)
})

test('a link that was used already says that the address is verified', async ({ page, faults }) => {
  await enter(page, person, link)
  await expect(toastOf(page, 'Successfully verified user')).toBeVisible()
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === '/')
  await expect(toastOf(page, 'Your email is already verified')).toHaveRole('status')
  excuseStatus(faults, 409)
})

test('an invalid link is reported, and leads to the dashboard', async ({ page, faults }) => {
  await enter(page, person, '/verify-email?token=no-such-token')
  await page.waitForURL((url) => url.pathname === '/')
  await expect(toastOf(page, 'Error verifying email')).toHaveRole('alert')
  excuseStatus(faults, 400)
})

test('without a token nothing is sent, and the page leads to the dashboard', async ({ page }) => {
  await enter(page, person)
  const calls = listenToCalls(page)
  for (const path of ['/verify-email', '/verify-email?token=']) {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/')
    await expect(toastOf(page, 'No token provided')).toHaveRole('alert')
  }
  expect(calls).not.toContain('/auth/verify-email')
})
