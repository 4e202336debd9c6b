import { expect, type Locator, type Page } from '@playwright/test'

import { buyByHttp } from '#tests/e2e/kit/buying.ts'
import { expectLoaded } from '#tests/e2e/kit/layout.ts'
import { logInPerson, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { enter, storeSession } from '#tests/e2e/kit/pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** A phone that is held in the hand. */
test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })

const TARGET_MIN_PX = 44

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Finn')
  await registerPerson(product.address, person)
})

test('every touch target is as large as a finger', async ({ page, product }) => {
  const session = await logInPerson(product.address, person)
  await buyByHttp(product.address, session, 250)
  const paths = ['/', '/buy', '/account', '/referrals', '/promotions', '/sandbox', '/no-such-page']
  await storeSession(page, person)
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.locator('footer').getByRole('link').first()).toBeVisible()
      await expectLoaded(page)
      expect(await listSmallTargets(page), path).toEqual([])
    })
  }
})

test('a date is not broken in two by the button beside it', async ({ page, product }) => {
  await logInPerson(product.address, person)
  await enter(page, person, '/account')
  const dates = page.getByText(/^Last used /)
  await expect(dates.nth(1)).toBeVisible()
  const heights = await dates.evaluateAll((all) =>
    all.map((date) => date.getBoundingClientRect().height),
  )
  expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights))
  expect(Math.max(...heights)).toBeLessThan(30)
})

test('on a desk a device, its date below and its button beside them stand in a row', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await enter(page, person, '/account')
  const rows = page.getByRole('list', { name: 'Where you are logged in' }).getByRole('listitem')
  const placeOf = async (part: Locator) => {
    const box = await part.boundingBox()
    if (box === null) throw new Error('It is not shown.')
    return box
  }
  const icon = await placeOf(rows.nth(1).locator('svg'))
  const device = await placeOf(rows.nth(1).getByText(/ on |Unknown/))
  const date = await placeOf(rows.nth(1).getByText(/^Last used /))
  const button = await placeOf(rows.nth(1).getByRole('button'))
  expect(icon.x + icon.width).toBeLessThan(device.x)
  expect(device.y + device.height).toBeLessThanOrEqual(date.y)
  expect(Math.max(device.x, date.x + date.width)).toBeLessThan(button.x)
  expect(button.y, 'in the middle of both').toBeLessThan(date.y)
  expect(button.y + button.height).toBeGreaterThan(date.y)
})

/** Links within a sentence are as high as its lines; what is drawn small has a margin around it. */
async function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const pressed = [...document.querySelectorAll<HTMLElement>('a, button, select, [type=radio]')]
    const shown = pressed.filter((element) => element.checkVisibility())
    return shown
      .filter((element) => element.closest('p, .sr-only') === null)
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        const around = getComputedStyle(element, '::after')
        const isWider = around.position === 'absolute' && around.content !== 'none'
        const margin = isWider ? -2 * Number.parseFloat(around.top) : 0
        return Math.min(width, height) + margin < min
      })
      .map((element) => element.ariaLabel ?? element.closest('label, a, button')?.textContent ?? '')
  }, TARGET_MIN_PX)
}
