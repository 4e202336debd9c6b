import { expect, type Locator, type Page } from '@playwright/test'

import { FRAME_ATTRIBUTE } from '#contract/page-seed.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

/** Somebody else’s sale, with text in it that would be markup if it were not escaped. */
export const HOSTILE_NAME = 'Pear & <b>"Sons"</b>'
export const HOSTILE_TAGLINE = 'Sweet</script><script>document.title="owned"</script>'

/**
 * A sale that is over, of a project other than the shipped one: without promotions, pictures and
 * texts about the project, and with an address for 'Buy Now'.
 */
export const ENDED_SALE_FILE = SMALL_SALE_FILE.replace('name: Pear', `name: '${HOSTILE_NAME}'`)
  .replace('tagline: Sweet', `tagline: '${HOSTILE_TAGLINE}'`)
  .replace('footer: {} }', 'footer: {}, buy_now: https://pear.example/buy }')
  .replace('start_date: P0D', 'start_date: -P20D')
  .replace('end_date: P30D', 'end_date: -P10D')
  .replace('start_date: P30D', 'start_date: -P10D\n    end_date: -P1D')

export function sidebar(page: Page): Locator {
  return page.getByRole('complementary')
}

export function mobileMenu(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Menu' })
}

/** The address that a link leads to, and whether it opens beside the application. */
export async function targetOf(link: Locator): Promise<{ href: string; isBeside: boolean }> {
  const href = (await link.getAttribute('href')) ?? ''
  return { href, isBeside: (await link.getAttribute('target')) === '_blank' }
}

/** What the server sent has given way to the page, and the shapes of what loads to the data. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator(`[${FRAME_ATTRIBUTE}]`)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('main .animate-pulse')).toHaveCount(0)
}

/** Nothing overflows the page sideways once its data is there. */
export async function expectNoOverhang(page: Page, what: string): Promise<void> {
  await expectLoaded(page)
  const overhang = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
  await expect.poll(overhang, `${what} is as wide as the window`).toBeLessThanOrEqual(0)
}

/** No button and no cell of a table reaches into the padding at the right of its card. */
export async function expectWithinCards(page: Page, what: string): Promise<void> {
  await expectLoaded(page)
  const leaving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('section.rounded-card')].flatMap((card) => {
        const padding = Number.parseFloat(getComputedStyle(card).paddingRight)
        const end = card.getBoundingClientRect().right - padding + 1
        return [...card.querySelectorAll('button:not([aria-label]), th, td')]
          .filter((part) => part.getBoundingClientRect().right > end)
          .map((part) => part.textContent)
      }),
    )
  await expect.poll(leaving, `${what} keeps the padding of its cards`).toEqual([])
}
