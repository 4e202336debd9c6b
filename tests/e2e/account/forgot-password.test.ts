import { expect, type Page } from '@playwright/test'

import { excuseStatus, listenToCalls, mailedLink, toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { refusal } from '#tests/e2e/kit/buying.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Fritz')
  await registerPerson(product.address, person)
})

test('an invalid address is reported at its field, and nothing is sent', async ({ page }) => {
  await page.goto('/forgot-password')
  await expect(page).toHaveTitle('Forgot password · HUH Token presale')
  await expect(page.getByRole('main').locator('label')).toHaveText(['Email'])
  const back = page.getByRole('link', { name: 'Back to login', exact: true })
  await expect(back).toHaveAttribute('href', '/login')
  const calls = listenToCalls(page)
  const email = page.getByLabel('Email', { exact: true })
  const send = page.getByRole('button', { name: 'Send Password Reminder', exact: true })
  await send.click()
  await expect(email).toHaveAccessibleDescription("Can't be empty")
  await email.fill('nobody at example')
  await expect(email).toHaveAccessibleDescription('Invalid email')
  await send.click()
  await takePictures(page, 'forgot-password')
  await expectAccessible(page, 'forgot password with its error')
  expect(calls).not.toContain('/auth/forgot-password')
})

test('a request is confirmed, mailed, and possible again after sixty seconds', async ({
  page,
  product,
  faults,
}) => {
  await page.clock.install()
  await page.goto('/forgot-password')
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Email', { exact: true }).fill(` ${person.email} `)
  await page.getByRole('button', { name: 'Send Password Reminder', exact: true }).click()
  await expect(toastOf(page, 'Successfully sent password reset email')).toBeVisible()
  const button = page.getByRole('button', { name: /^Send Password Reminder/ })
  await expect(button).toHaveText('Send Password Reminder (60)')
  const endsAtMs = (await page.evaluate(() => Date.now())) + 60_000
  // Seconds count from when the page was loaded, so a change may be seen a moment late.
  const expectWhatIsLeft = async () => {
    const leftMs = endsAtMs - (await page.evaluate(() => Date.now()))
    const text = (await button.textContent({ timeout: 50 })) ?? ''
    const shown = Number(/^Send Password Reminder \((\d+)\)$/.exec(text)?.[1])
    expect(Math.abs(shown - leftMs / 1000)).toBeLessThan(1.5)
  }
  await expect(button).toBeDisabled()
  await page.clock.runFor(1000)
  await expect(button).toHaveText('Send Password Reminder (59)')

  await page.getByRole('link', { name: 'Back to login' }).click()
  const wayBack = page.getByRole('link', { name: 'Forgot password' })
  await runClockUntil(page, () => expect(wayBack).toBeVisible({ timeout: 50 }))
  await wayBack.click()
  await runClockUntil(page, expectWhatIsLeft)
  await expect(button).toBeDisabled()
  await page.clock.runFor(7000)
  await page.reload()
  await runClockUntil(page, expectWhatIsLeft)
  await expect(button).toBeDisabled()
  const secondsLeft = Number(/\((\d+)\)$/.exec((await button.textContent()) ?? '')?.[1])
  await page.clock.runFor((secondsLeft - 2) * 1000)
  await expect(button).toHaveText(/^Send Password Reminder \([12]\)$/)
  await page.clock.runFor(2000)
  await expect(button).toHaveText('Send Password Reminder')
  await expect(button).toBeEnabled()
  await mailedLink(product.address, person.email, '/reset-password')

  // The page's clock has been put forward, but the server's has not.
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await button.click()
  await expect(toastOf(page, 'Too many requests. Try again in a minute')).toBeVisible()
  await expect(button).toHaveText(/^Send Password Reminder \(\d+\)$/)
  await page.clock.resume()
  await takePictures(page, 'forgot-password-sent')
  excuseStatus(faults, 429)
})

/** Code that arrives late is shown a moment after that, by the page's clock. */
async function runClockUntil(page: Page, hasCome: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50)
    await hasCome()
  }).toPass()
}

test('an address that has to wait a day leaves others no more than the sixty seconds', async ({
  page,
  product,
  faults,
}) => {
  await page.clock.install()
  await page.goto('/forgot-password')
  await page.route('**/api/v1/auth/forgot-password', (route) => {
    const message = 'Too many requests. Try again in 24 hours'
    const tooMany = refusal(429, 'TooManyRequests', message)
    return route.fulfill({ ...tooMany, headers: { 'retry-after': String(24 * 60 * 60) } })
  })
  await page.getByLabel('Email', { exact: true }).fill(somebody('Often').email)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Too many requests. Try again in 24 hours')).toHaveRole('alert')
  const button = page.getByRole('button', { name: /^Send Password Reminder/ })
  await expect(button).toHaveText(/\((?:60|5\d)\)$/)
  await page.unroute('**/api/v1/auth/forgot-password')
  await page.clock.fastForward(61_000)
  const another = somebody('Fresh')
  await registerPerson(product.address, another)
  await page.getByLabel('Email', { exact: true }).fill(another.email)
  await page.keyboard.press('Enter')
  await mailedLink(product.address, another.email, '/reset-password')
  excuseStatus(faults, 429)
})

test('a reply without a message is reported in the words of the page', async ({ page, faults }) => {
  await page.goto('/forgot-password')
  await page.route('**/api/v1/auth/forgot-password', (route) =>
    route.fulfill({ status: 400, json: {} }),
  )
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Error sending password reset email')).toHaveRole('alert')
  const button = page.getByRole('button', { name: 'Send Password Reminder', exact: true })
  await expect(button).toBeEnabled()
  excuseStatus(faults, 400)
})

test('somebody without an account is answered the same', async ({ page }) => {
  await page.goto('/forgot-password')
  await page.getByLabel('Email', { exact: true }).fill(somebody('Unknown').email)
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Successfully sent password reset email')).toBeVisible()
})
