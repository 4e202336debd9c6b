import { expect, type Locator } from '@playwright/test'

import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { buyByHttp, deal, enterAsNewBuyer, keepSilent } from '#tests/e2e/kit/buying.ts'
import { largeText } from '#tests/e2e/kit/look/large-text.ts'
import {
  everyStatus,
  expectRoomForTexts,
  listThese,
} from '#tests/e2e/kit/look/listed-transactions.ts'
import { transactionDialog } from '#tests/e2e/kit/pages.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { aWireReceipt, aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'

test.use({ saleFile: buyingSaleFile(), ...largeText })

test('in texts of twice the size nothing of the buy page meets or leaves it', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Gro')
  await keepSilent(page)
  await listThese(page, everyStatus())
  await page.goto('/buy?usd_amount=1234.56')
  await expect(deal(page)).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  for (const width of [320, 375, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const rows = page.locator('main li[data-status]')
    // Below that a chip of one long word is wider than what is left for it.
    if (width >= 375) await expectRoomForTexts(rows, `the list at ${width} px`)
    await expectAllInWindow(page.locator('main *'), `the page at ${width} px`)
  }
})

async function expectAllInWindow(parts: Locator, what: string): Promise<void> {
  const outside = await parts.evaluateAll((all) => {
    const edge = document.documentElement.clientWidth + 1
    return all
      .filter((element) => element.getBoundingClientRect().right > edge)
      .map((element) => `${element.tagName} ${element.textContent}`)
  })
  expect.soft(outside, `what leaves ${what}`).toEqual([])
}

test('in texts of twice the size every digit of what is to be paid can be read', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Ada')
  const purchase = await buyByHttp(product.address, session, 1000)
  await keepSilent(page)
  for (const due of ['0.02050491', '371310.43576752', '12345678.901234567890123456']) {
    await page.route(`**/api/v1/transactions/${purchase.id}`, (route) =>
      route.fulfill({ json: { ...purchase, payment_amount: due } }),
    )
    await page.goto(`/buy?id=${purchase.id}`)
    const field = transactionDialog(page).getByRole('button', { name: 'Copy Amount to Pay' })
    await expect(field).toHaveAttribute('data-copy-value', due)
    for (const width of [320, 375, 768]) {
      await page.setViewportSize({ width, height: 900 })
      const room = await field.evaluate((button) => {
        const digits = document.createRange()
        digits.selectNodeContents(button.querySelector('.whitespace-nowrap') ?? button)
        const icon = button.querySelector('svg')
        return (icon?.getBoundingClientRect().left ?? 0) - digits.getBoundingClientRect().right
      })
      expect.soft(room, `between ${due} and its icon at ${width} px`).toBeGreaterThanOrEqual(0)
    }
  }
})

test('in texts of twice the size nothing of a paid purchase leaves its dialog', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Ida')
  await keepSilent(page)
  const paid = aWireTransaction({
    status: 'completed',
    confirmations: 2,
    actual_purchase_amount_crypto: 12_361_510.14915864,
    actual_purchase_amount_fiat: 43_210.99,
    receipts: [aWireReceipt('12361510.14915864', 2)],
  })
  await page.route(`**/api/v1/transactions/${paid.id}`, (route) => route.fulfill({ json: paid }))
  await page.setViewportSize({ width: 375, height: 900 })
  await page.goto(`/buy?id=${paid.id}`)
  const dialog = transactionDialog(page)
  await expect(dialog.getByRole('list', { name: 'Payments received' })).toBeVisible()
  await expectAllInWindow(dialog.locator('*'), 'the dialog at 375 px')
})
