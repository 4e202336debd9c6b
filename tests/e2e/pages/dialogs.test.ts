import { expect, type Locator, type Page } from '@playwright/test'

import { usersContract } from '#contract/users.ts'
import {
  buyByHttp,
  deal,
  enterAsNewBuyer,
  spendField,
  tokenButton,
  tokenOptions,
} from '#tests/e2e/kit/buying.ts'
import { expectBackLeadsTo } from '#tests/e2e/kit/account.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { buyForm, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** Presses a link as soon as the page goes a step back, before the browser has made that step. */
async function pressOnStepBack(page: Page, link: string): Promise<void> {
  await page.evaluate((name) => {
    const back = window.history.back.bind(window.history)
    window.history.back = () => {
      window.history.back = back
      back()
      const links = [...document.querySelectorAll('nav a')] as HTMLElement[]
      links.find(({ innerText }) => innerText.trim() === name)?.click()
    }
  }, link)
}

/** Presses a button of a form again as soon as it can be pressed, until a dialog is open. */
async function pressAgain(button: Locator): Promise<void> {
  await button.evaluate((pressed: HTMLButtonElement) => {
    const observer = new MutationObserver((changes) => {
      const isChanged = changes.some(({ target }) => target === pressed)
      if (document.querySelector('[role=dialog]') !== null) observer.disconnect()
      else if (isChanged && pressed.type === 'submit') pressed.click()
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
  })
}

/** What the page takes for the time since it was opened, in milliseconds. */
async function setTimeOfPage(page: Page, ms: number): Promise<void> {
  await page.evaluate((now) => {
    performance.now = () => now
  }, ms)
}

test('a second press on Pay is no second purchase: the dialog is open by then', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Hasan')
  await page.goto('/buy?usd_amount=100')
  await expect(deal(page)).toBeVisible()
  const pay = buyForm(page).getByRole('button', { name: 'Pay', exact: true })
  await pressAgain(pay)
  await pay.click()
  await expect(transactionDialog(page)).toBeVisible()
  await page.goBack()
  await expect(transactionDialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/buy\?usd_amount=100$/)
  const { total } = await callProduct(
    product.address,
    usersContract.listTransactions,
    { params: { id: session.user.id }, query: {} },
    session.accessToken,
  )
  expect(total).toBe(1)
})

test('the second press of a double click does not close the dialog that the first has opened', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Dora')
  await page.goto('/buy')
  const opened = 60_000
  await setTimeOfPage(page, opened)
  await tokenButton(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await setTimeOfPage(page, opened + 400)
  await page.mouse.click(1, 1)
  await expect(page.getByRole('dialog')).toBeVisible()
  await setTimeOfPage(page, opened + 600)
  await page.mouse.click(1, 1)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the second press of a double click in a dialog is for nothing behind it', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Dilan')
  await page.goto('/buy')
  const preset = page.getByRole('button', { name: /^\$5,000/ })
  await expect(preset).toBeVisible()
  await tokenButton(page).click()
  await tokenOptions(page).filter({ hasText: 'Bitcoin' }).click()
  await expect(tokenButton(page)).toContainText('BTC')
  await preset.hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(spendField(page)).toHaveValue('1000')
  await preset.click()
  await expect(spendField(page)).toHaveValue('5000')
})

test('a link that is pressed while a dialog closes is followed', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Lisa')
  await page.goto('/referrals')
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await tokenButton(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await pressOnStepBack(page, 'Account')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByRole('heading', { level: 1, name: 'PROFILE' })).toBeVisible()
  // Nothing of the dialog is left between the pages.
  await expectBackLeadsTo(page, '/buy')
  await expectBackLeadsTo(page, '/referrals')
})

test('a second press on Close, while a purchase closes, is no second step back', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Cleo')
  await buyByHttp(product.address, session, 100)
  await page.goto('/referrals')
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  await transactionRows(page).getByRole('button', { name: 'Pay', exact: true }).click()
  const close = transactionDialog(page).getByRole('button', { name: 'Close' })
  await close.evaluate((button: HTMLElement) => {
    const go = window.history.go.bind(window.history)
    window.history.go = (steps) => {
      window.history.go = go
      go(steps)
      button.click()
    }
  })
  await close.click()
  await expect(transactionDialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/buy$/)
  await expectBackLeadsTo(page, '/referrals')
})

test('a row of the audit log closes for good, and the back button closes it too', async ({
  page,
  product,
}) => {
  await signInAsOperator(page, product, 'owner', 'Olga Owner')
  await page.goto('/operator/overview')
  await page.getByRole('link', { name: 'Audit log' }).click()
  const rows = page.getByRole('table', { name: 'What operators did' }).getByRole('link')
  const dialog = page.getByRole('dialog')
  await rows.first().click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/operator\/audit$/)

  await rows.first().click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/operator\/audit$/)
  await rows.first().click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  // The browser has made the step, from which the next one is counted.
  await expect(page).toHaveURL(/\/operator\/audit$/)
  await expectBackLeadsTo(page, '/operator/overview')

  await test.step('one that a link opened leaves the log', async () => {
    await page.goto('/operator/audit')
    const row = await rows.first().innerText()
    await page.goto(`/operator/audit?row=${row}`)
    await expect(dialog).toContainText(`Row ${row}`)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/operator\/audit$/)
  })
})
