import { expect, type Page } from '@playwright/test'

import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { enterAsNewBuyer, keepSilent } from '#tests/e2e/kit/buying.ts'
import { expectNoOverhang } from '#tests/e2e/kit/layout.ts'
import {
  everyStatus,
  expectRoomForTexts,
  listThese,
} from '#tests/e2e/kit/look/listed-transactions.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ saleFile: buyingSaleFile() })

const rowsIn = (page: Page) => page.locator('main li[data-status]')

for (const language of ['en', 'de'] as const) {
  test(`the longest words and amounts of a row never meet: ${language}`, async ({
    page,
    product,
  }) => {
    await enterAsNewBuyer(page, product.address, 'Lea')
    await keepSilent(page)
    await listThese(page, everyStatus())
    await page.evaluate((name) => {
      localStorage.setItem('presale.language', `string:${name}`)
    }, language)
    await page.goto('/buy')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(rowsIn(page)).toHaveCount(5)
    for (const width of [320, 375, 640, 768, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await expectRoomForTexts(rowsIn(page), `${language} at ${width} px`)
      await expectNoOverhang(page, `${language} at ${width} px`)
    }
  })
}

test('in the colours of the system no button leaves its card', async ({ page, product }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await enterAsNewBuyer(page, product.address, 'Sia')
  await keepSilent(page)
  await listThese(page, everyStatus())
  await page.goto('/buy')
  await expect(rowsIn(page)).toHaveCount(5)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expectRoomForTexts(rowsIn(page), `forced colours at ${width} px`)
  }
})
