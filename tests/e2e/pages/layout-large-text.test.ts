import { expect, type Locator, type Page } from '@playwright/test'

import { expectNoOverhang } from '#tests/e2e/kit/layout.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { buy } from '#tests/e2e/kit/sale.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { chromiumFlags, findChromium } from '#tools/testing/chromium.ts'

/** As where somebody has set the size of the browser's text to twice the usual one. */
const executablePath = await findChromium()
test.use({
  launchOptions: {
    args: [...chromiumFlags, '--blink-settings=defaultFontSize=32'],
    ...(executablePath && { executablePath }),
  },
})

/** None of them covers a part of another one. */
async function expectApart(parts: readonly Locator[]): Promise<void> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one === null || other === null) throw new Error('A part is not in sight.')
      const isBeside = one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1
      const isBelow = one.y + one.height <= other.y + 1 || other.y + other.height <= one.y + 1
      expect(isBeside || isBelow, JSON.stringify([one, other])).toBe(true)
    }
  }
}

const header = (page: Page) => [
  page.getByRole('banner').getByRole('link', { name: 'HUH Token' }),
  page.getByRole('button', { name: 'Buy Now' }),
  page.getByRole('button', { name: /^Switch theme/ }),
  page.getByRole('button', { name: 'Open menu' }),
]

for (const width of [375, 1280]) {
  test(`with text of twice the size nothing overlaps at ${width} px`, async ({ page, product }) => {
    await page.setViewportSize({ width, height: 812 })
    await page.goto('/login')
    expect(
      await page.evaluate(() => getComputedStyle(document.documentElement).fontSize),
      'the text is larger',
    ).toBe('32px')
    await expectApart(header(page))
    await expectNoOverhang(page, 'the login')
    const icon = page.getByRole('button', { name: 'Open menu' }).locator('svg')
    expect((await icon.boundingBox())?.width, 'icons grow with the text').toBe(40)

    const person = somebody('Gesa')
    const session = await registerPerson(product.address, person)
    await enter(page, person)
    const units = card(page, 'Stage 1 Ends In').getByRole('timer').locator('> span')
    await expect(units).toHaveCount(4)
    await expectApart(await units.all())
    await expectApart(header(page))
    await expectNoOverhang(page, 'the dashboard')

    await buy(product.address, session, 12_345.67)
    const balance = card(page, 'Token Balance')
    const figures = [balance.locator('data').first(), balance.getByTitle(/ HUH$/)]
    await expect(balance).toContainText('Bonus on top')
    await expectApart(figures)
    const frame = await balance.boundingBox()
    for (const figure of figures) {
      const box = await figure.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(
        (frame?.x ?? 0) + (frame?.width ?? 0),
      )
    }
  })
}

const openPages = ['/login', '/register', '/info', '/terms']

for (const language of ['en', 'de']) {
  test(`with text of twice the size no open page is too wide in ${language}`, async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/before-paint.js')
    await page.context().addCookies([{ name: 'language', value: language, url: page.url() }])
    await page.evaluate(
      (chosen) => localStorage.setItem('presale.language', `string:${chosen}`),
      language,
    )
    for (const path of openPages) {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoOverhang(page, path)
    }
  })
}
