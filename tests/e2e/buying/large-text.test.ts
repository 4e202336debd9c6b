import { expect } from '@playwright/test'

import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { deal, enterAsNewBuyer, keepSilent } from '#tests/e2e/kit/buying.ts'
import { largeText } from '#tests/e2e/kit/look/large-text.ts'
import {
  everyStatus,
  expectRoomForTexts,
  listThese,
} from '#tests/e2e/kit/look/listed-transactions.ts'
import { test } from '#tests/e2e/kit/test.ts'

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
    const outside = await page.locator('main *').evaluateAll((all) => {
      const edge = document.documentElement.clientWidth + 1
      return all
        .filter((element) => element.getBoundingClientRect().right > edge)
        .map((element) => `${element.tagName} ${element.textContent}`)
    })
    expect.soft(outside, `what leaves the page at ${width} px`).toEqual([])
  }
})
