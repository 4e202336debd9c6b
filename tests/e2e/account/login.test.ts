import { expect } from '@playwright/test'

import {
  excuseStatus,
  expectBackLeadsTo,
  listenToCalls,
  readStored,
  toastOf,
} from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { logIn } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person
let account: LoggedIn

test.beforeAll(async ({ product }) => {
  person = somebody('Lena')
  account = await registerPerson(product.address, person)
})

test('the page has two fields, a button and two links, in that order', async ({ page }) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Login · HUH Token presale')
  await expect(page.getByRole('main').locator('label')).toHaveText(['Email', 'Password'])
  const form = page.getByRole('main').locator('form')
  await expect(form.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  const links = form.getByRole('link')
  await expect(links).toHaveText(['Forgot password', 'Register an account'])
  await expect(links.nth(0)).toHaveAttribute('href', '/forgot-password')
  await expect(links.nth(1)).toHaveAttribute('href', '/register')
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute(
    'autocomplete',
    'username',
  )
  await takePictures(page, 'login')
})

test('the password is shown and hidden', async ({ page }) => {
  await page.goto('/login')
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('a secret')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('a secret')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('a field that was left shows its error, and sending shows all', async ({ page }) => {
  await page.goto('/login')
  const calls = listenToCalls(page)
  const errors = page.getByText("Can't be empty")
  // Before the scripts run nobody hears that a field was left.
  await expect(async () => {
    await page.getByLabel('Email', { exact: true }).focus()
    await expect(errors).toHaveCount(0)
    await page.getByLabel('Password', { exact: true }).focus()
    await expect(errors).toHaveCount(1, { timeout: 1_000 })
  }).toPass()
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
    "Can't be empty",
  )
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(errors).toHaveCount(2)
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await expectAccessible(page, 'login with its errors')
  expect(calls).not.toContain('/auth/login')
})

test('a login is confirmed for four seconds, is stored with types, and replaces the page', async ({
  page,
}) => {
  await page.goto('/terms')
  await page.clock.install()
  await page.goto('/login')
  await page.clock.pauseAt(Date.now() + 60_000)
  await logIn(page, person.email, person.password)
  const toast = toastOf(page, 'Successfully logged in')
  await expect(toast).toBeVisible()
  await page.clock.runFor(3900)
  await expect(toast).not.toHaveClass(/opacity-0/)
  await page.clock.runFor(200)
  await expect(toast).toHaveClass(/opacity-0/)
  await expect(toast).toHaveCSS('transition-duration', '0.5s')
  await page.clock.runFor(300)
  await expect(toast).toHaveCount(1)
  await page.clock.runFor(200)
  await expect(toast).toHaveCount(0)

  const stored = await readStored(page)
  expect(stored).toMatchObject({ loggedIn: 'boolean:true', banners: 'string:[]' })
  expect(JSON.parse(stored['user']?.replace(/^string:/, '') ?? '')).toMatchObject({
    id: account.user.id,
    email: person.email,
  })
  expect(JSON.parse(stored['tokens']?.replace(/^string:/, '') ?? '')).toMatchObject({
    access: { token: expect.any(String), expires: expect.any(String) },
    refresh: { token: expect.any(String), expires: expect.any(String) },
  })
  await expectBackLeadsTo(page, '/terms')
})

test('toasts stack at the bottom of the window, the newest below', async ({ page, faults }) => {
  await page.goto('/login')
  await logIn(page, person.email, 'wrong password 1')
  await expect(toastOf(page, 'Incorrect email or password')).toHaveCount(1)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const both = toastOf(page, 'Incorrect email or password')
  await expect(both).toHaveCount(2)
  await expect(both.first()).toHaveRole('alert')
  const [older, newer] = await Promise.all([both.first().boundingBox(), both.last().boundingBox()])
  const height = page.viewportSize()?.height ?? 0
  expect((newer?.y ?? 0) + (newer?.height ?? 0)).toBeGreaterThan(height - 40)
  expect(older?.y).toBeLessThan(newer?.y ?? 0)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('wrong password 1')
  expect((await readStored(page))['loggedIn']).toBeUndefined()
  excuseStatus(faults, 401)
})

test('a refusal stays above the button until the next attempt, and is announced once', async ({
  page,
  faults,
}) => {
  await page.goto('/login')
  const form = page.getByRole('main').locator('form')
  const submit = page.getByRole('button', { name: 'Login', exact: true })
  await page.clock.install()
  await logIn(page, person.email, 'wrong password 1')
  await expect(toastOf(page, 'Incorrect email or password')).toHaveRole('alert')
  await page.clock.runFor(10_000)
  await expect(toastOf(page, 'Incorrect email or password')).toHaveCount(0)
  const refused = await form.getByText('Incorrect email or password').boundingBox()
  expect(refused?.y).toBeLessThan((await submit.boundingBox())?.y ?? 0)
  await expect(form.getByRole('alert')).toHaveCount(0)
  await expect(submit).toHaveAccessibleDescription('Incorrect email or password')
  const heldBack = Promise.withResolvers<void>()
  await page.route('**/api/v1/auth/login', async (route) => {
    await heldBack.promise
    await route.continue()
  })
  await submit.click()
  await expect(form).not.toContainText('Incorrect email or password')
  heldBack.resolve()
  await expect(form).toContainText('Incorrect email or password')
  excuseStatus(faults, 401)
})

test('a refusal is not shown over the step that comes after it', async ({ page, faults }) => {
  await page.goto('/login')
  await logIn(page, person.email, 'wrong password 1')
  await expect(toastOf(page, 'Incorrect email or password')).toBeVisible()
  await page.route('**/api/v1/auth/login', (route) =>
    route.fulfill({
      status: 401,
      json: {
        code: 401,
        message: 'Enter the code of your authenticator app',
        reason: 'TwoFactorRequired',
        request_id: 'none',
      },
    }),
  )
  await logIn(page, person.email, person.password)
  const main = page.getByRole('main')
  await expect(main.getByLabel(/code/i)).toBeVisible()
  await expect(main.getByText('Incorrect email or password')).toHaveCount(0)
  excuseStatus(faults, 401)
})

test('a reply without a body is an internal server error, one without a message a failed login', async ({
  page,
  faults,
}) => {
  await page.goto('/login')
  await page.route('**/api/v1/auth/login', (route) => route.fulfill({ status: 502, body: '' }))
  await logIn(page, person.email, person.password)
  await expect(toastOf(page, 'Internal server error')).toBeVisible()
  await page.route('**/api/v1/auth/login', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(toastOf(page, 'Error while logging in')).toBeVisible()
  excuseStatus(faults, 502)
  excuseStatus(faults, 400)
})

test('a login that cannot load the user leaves nobody logged in', async ({ page, faults }) => {
  const body = { code: 404, message: 'Not found', reason: 'NotFound', request_id: 'none' }
  await page.goto('/login')
  await page.route('**/api/v1/users/*', (route) => route.fulfill({ status: 404, json: body }))
  await logIn(page, person.email, person.password)
  await expect(toastOf(page, 'Not found')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/login')
  expect((await readStored(page))['loggedIn']).toBeUndefined()
  excuseStatus(faults, 404)
})

test('a logout replaces the page with the login, and stays there', async ({ page, faults }) => {
  await page.goto('/login')
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/terms')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/account')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  await expectBackLeadsTo(page, '/terms')
  // What the page was still asking for when its session ended.
  excuseStatus(faults, 401)
})
