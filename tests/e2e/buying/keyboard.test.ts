import { expect } from '@playwright/test'

import { buyForm, tabTo, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

test('somebody logs in and buys with the keyboard alone', async ({ page, product }) => {
  const person = somebody('Klara')
  await registerPerson(product.address, person)
  const dialog = transactionDialog(page)

  await test.step('log in', async () => {
    await page.goto('/login')
    await tabTo(page, page.getByLabel('Email', { exact: true }))
    await page.keyboard.type(person.email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
  })

  await test.step('go to the buy page', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Buy', exact: true }))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/buy')
  })

  await test.step('choose amount and payment token', async () => {
    const amount = page.getByLabel('I want to spend')
    await tabTo(page, amount)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('12x.5.0')
    await expect(amount).toHaveValue('12.50')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('300')

    const picker = page.getByRole('button', { name: /^Payment token/ })
    await tabTo(page, picker)
    await page.keyboard.press('Enter')
    const options = page.getByRole('dialog').getByRole('option')
    await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('erc20')
    await expect(options).toHaveText([/Ethereum/, /Tether/])
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('bitcoin')
    await expect(options).toHaveText([/Bitcoin/])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(picker).toContainText('BTC')
    await expect(picker).toBeFocused()
    await expect(page.getByText(/^You send 0\.00\d+ BTC for [\d,.]+ HUH$/)).toBeVisible()
  })

  await test.step('pay, and close the dialog with Escape', async () => {
    await tabTo(page, buyForm(page).getByRole('button', { name: 'Pay', exact: true }))
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Pending', { exact: true })).toBeVisible()
    await tabTo(page, dialog.getByRole('button', { name: 'Copy Wallet Address' }))
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(transactionRows(page).first()).toContainText('Pending')
    await expect(page.locator('body')).not.toBeFocused()
  })

  await test.step('open it again from its row, and close it with the back button', async () => {
    const pay = transactionRows(page).first().getByRole('button', { name: 'Pay', exact: true })
    await tabTo(page, pay)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    expect(new URL(page.url()).pathname).toBe('/buy')
    await expect(pay).toBeFocused()
  })
})
