import { expect, type Locator, type Page } from '@playwright/test'

import { coinField, spendField, tokenButton } from '#tests/e2e/kit/buying.ts'
import { sidebar } from '#tests/e2e/kit/layout.ts'
import { buyForm, enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

const BREAKPOINTS = { sm: 640, md: 768, lg: 1024, xl: 1280, '2xl': 1536 }
const REM = 16

const projectLinks = (page: Page) => page.getByRole('navigation', { name: 'Project links' })
const menuButton = (page: Page) => page.getByRole('button', { name: 'Open menu' })

/** Whether two parts of the page are side by side, and not one below the other. */
async function areBeside(one: Locator, other: Locator): Promise<boolean> {
  const [left, right] = [await one.boundingBox(), await other.boundingBox()]
  if (left === null || right === null) throw new Error('A part of the page is not in sight.')
  return right.x >= left.x + left.width && right.y < left.y + left.height
}

/** Looks at the window one pixel narrower than a breakpoint, and at the breakpoint itself. */
async function expectChangeAt(page: Page, width: number, isWide: () => Promise<boolean>) {
  for (const [at, expected] of [
    [width - 1, false],
    [width, true],
  ] as const) {
    await page.setViewportSize({ width: at, height: 900 })
    await expect.poll(isWide, `at ${at} pixels`).toBe(expected)
  }
}

test('the layout changes at 640, 768, 1024 and 1280 pixels, to the pixel', async ({
  page,
  product,
}) => {
  const person = somebody('Breda')
  await registerPerson(product.address, person)
  await enter(page, person)

  await test.step('md: the cards of the dashboard stand beside each other', async () => {
    const balance = page.getByRole('heading', { name: 'Token Balance' })
    const stage = page.getByRole('heading', { name: 'Stage 1', exact: true })
    await expect(stage).toBeVisible()
    await expectChangeAt(page, BREAKPOINTS.md, () => areBeside(balance, stage))
  })

  await test.step('lg: the sidebar takes the place of the sections in the menu', async () => {
    await expectChangeAt(page, BREAKPOINTS.lg, () => sidebar(page).isVisible())
  })

  await test.step('xl: the links of the project take the place of the menu', async () => {
    await expectChangeAt(page, BREAKPOINTS.xl, () => projectLinks(page).isVisible())
    await expectChangeAt(page, BREAKPOINTS.xl, () => menuButton(page).isHidden())
  })

  await page.goto('/buy')
  await expect(spendField(page)).toBeVisible()

  await test.step('sm: the payment token stands beside its amount', async () => {
    await expectChangeAt(page, BREAKPOINTS.sm, () => areBeside(coinField(page), tokenButton(page)))
  })

  await test.step('lg: the summary stands beside the form', async () => {
    const summary = buyForm(page).getByRole('heading', { name: 'Summary' })
    await expectChangeAt(page, BREAKPOINTS.lg, () => areBeside(spendField(page), summary))
  })
})

test('no style changes at any other width', async ({ page }) => {
  await page.goto('/login')
  const conditions = await page.evaluate(() => {
    const found: string[] = []
    const look = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule) found.push(rule.conditionText)
        if (rule instanceof CSSGroupingRule) look(rule.cssRules)
      }
    }
    for (const { cssRules } of document.styleSheets) look(cssRules)
    return found
  })
  const widths = conditions.filter((condition) => condition.includes('width'))
  const allowed = Object.values(BREAKPOINTS).flatMap((width) => [
    `(width >= ${width / REM}rem)`,
    `not all and (width >= ${width / REM}rem)`,
    `(width < ${width / REM}rem)`,
  ])
  // Narrower than any phone: these widths are those of a phone whose text is twice as large.
  allowed.push('not all and (width >= 16rem)', '(width >= 20rem)')
  expect(widths.length).toBeGreaterThan(0)
  for (const width of widths) expect(allowed).toContain(width)
})
