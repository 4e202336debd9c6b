import { expect, type Page } from '@playwright/test'

import { mailedLink, toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' })
const step = (page: Page, title: string) =>
  steps(page).getByRole('listitem').filter({ hasText: title })

test('who is new is led through three steps, and what is done is ticked', async ({
  page,
  product,
}) => {
  const person = somebody('Erik')
  await registerPerson(product.address, person)
  await enter(page, person)
  await expect(steps(page).getByRole('listitem')).toHaveCount(3)
  await expect(step(page, 'Verify your email')).toContainText(person.email)
  await takePictures(page, 'first-steps')
  await expectAccessible(page, 'the first steps')

  const resend = page.getByRole('button', { name: /^Resend Verification Email/ })
  await resend.click()
  await expect(toastOf(page, 'Successfully sent verification email')).toBeVisible()
  await expect(resend).toHaveText(/\((60|5\d)\)$/)
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(resend, 'the pause is the same one').toHaveText(/\(\d\d\)$/)

  await page.goto(await mailedLink(product.address, person.email, '/verify-email'))
  await page.waitForURL((url) => url.pathname === '/')
  await expect(step(page, 'Verify your email')).toContainText('Done')
  await expect(resend).toHaveCount(0)
  await expect(step(page, 'Make your first purchase').getByRole('link')).toHaveAttribute(
    'href',
    '/buy',
  )
  await step(page, 'Turn on two-factor login').getByRole('link').click()
  await page.waitForURL((url) => url.pathname + url.hash === '/account#two-factor')
  await expect(page.getByRole('heading', { name: 'Two-factor login' })).toBeInViewport()
})

test('an address that is too long for its line breaks before its domain', async ({
  page,
  product,
}) => {
  const person = somebody('Emilia.Katharina')
  person.email = person.email.replace('-', '.').replace('example.com', 'pearorchard.example')
  await registerPerson(product.address, person)
  await page.setViewportSize({ width: 375, height: 812 })
  await enter(page, person)
  const text = step(page, 'Verify your email').getByText(person.email)
  const domain = `@${person.email.split('@')[1]}`
  const lines = await text.evaluate((element, wanted) => {
    const part = [...element.childNodes].find((node) => node.textContent === wanted)
    const range = document.createRange()
    if (part !== undefined) range.selectNodeContents(part)
    return range.getClientRects().length
  }, domain)
  expect(lines).toBe(1)
})

test('once all is done, or it is put away, there is none', async ({ page, product }) => {
  const person = somebody('Elin')
  await registerPerson(product.address, person)
  await enter(page, person)
  await steps(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(steps(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 }), 'the focus is not lost').toBeFocused()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Token Balance' })).toBeVisible()
  await expect(steps(page)).toHaveCount(0)

  const other = somebody('Enya')
  await registerPerson(product.address, other)
  await page.route(/\/api\/v1\/users\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    const user = await response.json()
    await route.fulfill({
      response,
      json: { ...user, is_email_verified: true, paid_amount_fiat: 250 },
    })
  })
  await page.route('**/api/v1/auth/two-factor', (route) =>
    route.fulfill({ json: { is_on: true, recovery_codes_left: 10 } }),
  )
  await enter(page, other)
  await expect(steps(page).getByText('Done')).toHaveCount(3)
  await page.getByRole('link', { name: 'Referrals', exact: true }).click()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Token Balance' })).toBeVisible()
  await expect(steps(page)).toHaveCount(0)
})
