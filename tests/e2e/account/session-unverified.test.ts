import { expect } from '@playwright/test'

import { excuseStatus, mailedLink, readStored, toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { logIn } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

test.use({ saleFile: `accounts: { require_verified_email: true }\n${SMALL_SALE_FILE}` })

test('an email that must be verified keeps the session, and every page shows what to do', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const person = somebody('Ulla')
  await registerPerson(product.address, person)
  await page.goto('/login')
  await logIn(page, person.email, person.password)
  const notice = page.getByText(/^Verify your email to continue buying/)
  await expect(notice).toContainText(person.email)
  await expect(toastOf(page, 'Successfully logged in')).toBeVisible()
  await page.reload()
  await expect(notice).toBeVisible()
  expect((await readStored(page))['loggedIn']).toBe('boolean:true')
  const resend = page.getByRole('button', { name: /^Resend Verification Email/ })
  await resend.click()
  await expect(toastOf(page, 'Successfully sent verification email')).toBeVisible()
  await takePictures(page, 'notice-unverified')
  await expectAccessible(page, 'the dashboard with the notice')

  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PROFILE')
  await expect(notice).toBeVisible()
  await expect(resend).toHaveCount(1)
  await expect(resend).toHaveText(/\(\d+\)$/)
  await page.getByLabel('First name').fill('Ursula')

  const other = await page.context().newPage()
  await other.goto(await mailedLink(product.address, person.email, '/verify-email'))
  await expect(toastOf(other, 'Successfully verified user')).toBeVisible()
  await expect(other.getByText(/^Verify your email to continue buying/)).toHaveCount(0)
  await expect(notice, 'in the tab that was open before').toHaveCount(0)
  await expect(page.getByLabel('First name'), 'what was typed there').toHaveValue('Ursula')
  excuseStatus(faults, 403)
})
