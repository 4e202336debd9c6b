import { expect } from '@playwright/test'

import { buyByHttp, enterAsNewBuyer, payByHttp } from '#tests/e2e/kit/buying.ts'
import { transactionDialog } from '#tests/e2e/kit/pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

const WHITE = 'rgb(255, 255, 255)'
const BLACK = 'rgb(0, 0, 0)'

test('a transaction is printed alone, whole and in ink on white', async ({ page, product }) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Petra')
  const purchase = await buyByHttp(product.address, session, 250)
  await payByHttp(product.address, purchase, purchase.payment_amount ?? '')
  await page.setViewportSize({ width: 800, height: 300 })
  await page.goto(`/buy?id=${purchase.id}`)
  const dialog = transactionDialog(page)
  await expect(dialog.getByText('Payments received')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible()
  const number = dialog.getByText(purchase.id, { exact: true })
  await expect(number, 'on the screen it would only be in the way').toBeHidden()

  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('main')).toBeHidden()
  await expect(page.locator('header').first()).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeHidden()
  await expect(dialog.getByText('Payments received')).toBeVisible()
  await expect(number).toBeVisible()
  const date = dialog.locator(`time[datetime="${purchase.created_date}"]`)
  await expect(date).toBeVisible()
  await expect(date).toContainText(purchase.created_date.slice(0, 4))
  await expect(page.locator('body')).toHaveCSS('background-color', WHITE)
  await expect(dialog).toHaveCSS('color', BLACK)
  const hidden = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('div')]
      .filter((part) => getComputedStyle(part).overflowY !== 'visible')
      .map((part) => part.scrollHeight - part.clientHeight),
  )
  expect(Math.max(0, ...hidden), 'what has to be scrolled to').toBe(0)
})

test('a page is printed without what is only for pressing', async ({ page }) => {
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', BLACK)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.locator('header').first()).toBeHidden()
  await expect(page.locator('footer')).toBeHidden()
})
