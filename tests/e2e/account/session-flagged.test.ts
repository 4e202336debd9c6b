import { expect } from '@playwright/test'

import { excuseStatus, readStored, toastOf } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyForm, enter, logIn } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/sale-server.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'

const ASKED = /^Password change required: /

test('a new password that the operator asks for leaves no page but the one to choose it', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const person = somebody('Flora')
  await registerPerson(product.address, person)
  await product.operate('users', 'require-password-change', person.email)

  await page.goto('/login')
  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/account')
  await expect(toastOf(page, 'Successfully logged in')).toBeVisible()
  await expect(page.getByText(ASKED)).toBeVisible()
  expect((await readStored(page))['loggedIn']).toBe('boolean:true')
  const headings = page.getByRole('main').getByRole('heading')
  await expect(headings.first()).toHaveText('PROFILE')
  await expect(headings.nth(1)).toHaveText('Choose a new password')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(headings).toHaveCount(2)
  await expect(page.getByText('This device')).toHaveCount(0)
  await takePictures(page, 'account-password-required')
  await expectAccessible(page, 'the account with a password to be changed')

  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByText(ASKED)).toBeVisible()
  await page.reload()
  await expect(page.getByText(ASKED)).toBeVisible()

  const form = page.getByRole('form', { name: 'Password' })
  await expect(form).toHaveCount(1)
  await form.getByLabel('Current password').fill(person.password)
  await form.getByLabel('New password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(form.getByText('Choose a password that is not the current one')).toBeVisible()
  await expect(page.getByText(ASKED)).toBeVisible()
  await form.getByLabel('Current password').fill(person.password)
  await form.getByLabel('New password').fill('another horse 2')
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Successfully changed password')).toBeVisible()
  await expect(page.getByText(ASKED)).toHaveCount(0)
  await expect(page.getByText('This device')).toBeVisible()
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/buy')
  await expect(buyForm(page)).toBeVisible()
  excuseStatus(faults, 403)
  excuseStatus(faults, 400)
})

test('a user who is already logged in learns of it at the next purchase', async ({
  page,
  product,
  faults,
}) => {
  const person = somebody('Flora')
  await registerPerson(product.address, person)
  await enter(page, person)
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await expect(page.getByText(/^You send .* for .* HUH$/)).toBeVisible()
  await product.operate('users', 'require-password-change', person.email)
  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/account')
  await expect(page.getByText(ASKED)).toBeVisible()
  excuseStatus(faults, 403)
})
