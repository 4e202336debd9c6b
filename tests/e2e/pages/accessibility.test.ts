import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { WRONG_ADDRESS } from '#tests/e2e/kit/faults.ts'
import { buyForm, enter, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Astrid')
  await registerPerson(product.address, person)
})

const pagesForVisitors = [
  { name: 'login', path: '/login', button: 'Login' },
  { name: 'sandbox', path: '/sandbox', button: 'Send all' },
]

for (const { name, path, button } of pagesForVisitors) {
  test(`${name} is accessible`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
    await expectAccessible(page, name)
  })
}

test('register is accessible, with all its errors shown', async ({ page }) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Must accept terms and conditions')).toBeVisible()
  await expectAccessible(page, 'register')
})

test('the page for a wrong address is accessible', async ({ page }) => {
  await page.goto(WRONG_ADDRESS)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expectAccessible(page, 'not found')
})

test('buy page, payment dialog and dashboard are accessible', async ({ page }) => {
  test.setTimeout(120_000)
  await enter(page, person)
  await test.step('buy', async () => {
    await openBuy(page)
    await expectAccessible(page, 'buy')
  })
  await test.step('payment dialog', async () => {
    await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(transactionDialog(page).getByRole('img', { name: /QR code/ })).toBeVisible()
    await expectAccessible(page, 'payment dialog')
  })
  await test.step('dashboard with a purchase', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Recent Transactions' })).toContainText('Pending')
    await expectAccessible(page, 'dashboard with a purchase')
  })
})

async function openBuy(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await expect(page.getByText(/^You send .* for .* HUH$/)).toBeVisible()
  await expect(page.getByRole('button', { name: /Eligible Bonuses/ })).toContainText('%')
}
