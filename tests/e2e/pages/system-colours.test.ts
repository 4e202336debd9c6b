import { expect, type Locator } from '@playwright/test'

import { buyByHttp, enterAsNewBuyer, payByHttp } from '#tests/e2e/kit/buying.ts'
import { transactionDialog } from '#tests/e2e/kit/pages.ts'
import { readQrCode } from '#tests/e2e/kit/qr.ts'
import { recentRows } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** Somebody whose system sets the colours, dark on a light background. */
test.use({ contextOptions: { forcedColors: 'active' }, colorScheme: 'light' })

test('the selection and the logo can be seen in the colours of the system', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Sybil')
  await page.goto('/')
  const periods = page.getByRole('radiogroup')
  const chosen = periods.locator('label').filter({ hasText: 'Day' })
  // Before it is there, elements may still be replaced by what the scripts draw.
  await expect(chosen).toBeVisible()
  const sections = page.getByRole('navigation', { name: 'Sections' })
  const current = sections.getByRole('link', { name: 'Dashboard' })
  const other = sections.getByRole('link', { name: 'Account' })
  const ground = await groundOf(page.locator('body'))
  expect(await groundOf(current)).not.toBe(ground)
  expect(await inkOf(current.locator('svg'))).toBe(await inkOf(current))
  expect(await inkOf(other.locator('svg'))).toBe(await inkOf(other))

  const left = periods.locator('label').filter({ hasText: 'Week' })
  expect(await groundOf(chosen)).not.toBe(ground)
  expect(await groundOf(left)).not.toBe(await groundOf(chosen))

  const logo = page.locator('header img')
  expect(await groundOf(logo), 'the dark ground that the logo is drawn for').toBe('rgb(20, 18, 16)')
})

test('a camera reads the code of a payment on a dark screen of the system', async ({
  page,
  product,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  const { session } = await enterAsNewBuyer(page, product.address, 'Silas')
  const purchase = await buyByHttp(product.address, session, 250)
  await page.goto(`/buy?id=${purchase.id}`)
  const code = transactionDialog(page).getByRole('img', { name: /QR code/ })
  await expect(code).toBeVisible()
  expect(await readQrCode(page, code.locator('..'))).toBe(purchase.payment_uri)
  await expect(code.locator('..')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

test('what is drawn of prices, of what is sold and of steps stands out from the ground', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Sonja')
  await page.goto('/')
  const paid = await buyByHttp(product.address, session, 250)
  await payByHttp(product.address, paid, paid.payment_amount ?? '')
  const open = await buyByHttp(product.address, session, 250)
  await expect(recentRows(page).filter({ hasText: 'Completed' })).toHaveCount(1, {
    timeout: 30_000,
  })
  const ink = await inkOf(page.locator('body'))
  await expect(page.getByRole('slider').locator('polyline')).toHaveCSS('stroke', ink)
  const bar = page.getByRole('img', { name: / sold$/ })
  expect(await groundOf(bar.locator('div'))).toBe(ink)
  expect(await groundOf(bar)).not.toBe(ink)
  expect(await groundOf(bar)).not.toBe(await groundOf(page.locator('body')))

  await page.goto(`/buy?id=${open.id}`)
  const steps = transactionDialog(page).getByRole('list', { name: 'Progress of the payment' })
  const dot = steps.locator('[data-state="waiting"] [aria-hidden] > span').first()
  expect(await groundOf(dot)).not.toBe(await groundOf(page.locator('body')))
})

function groundOf(element: Locator): Promise<string> {
  return element.evaluate((shown) => getComputedStyle(shown).backgroundColor)
}

function inkOf(element: Locator): Promise<string> {
  return element.evaluate((shown) => getComputedStyle(shown).color)
}
