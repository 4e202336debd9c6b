import { expect, type Page } from '@playwright/test'

import { excuseStatus, readStored } from '#tests/e2e/kit/account.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { sidebar } from '#tests/e2e/kit/layout.ts'
import { logIn } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

/** Wider than any phone: an address, or a compound word. */
const LONG_WORD = 'pearspresale'.repeat(10)

test.use({
  saleFile: `${SMALL_SALE_FILE}
banners:
  - id: inside
    message: Tokens are released over five months.
    tone: info
    link_url: /info
    link_label: How it works
  - id: outside
    message: The first stage is open.
    tone: success
    link_url: https://pear.example/news
    link_label: Read more
  - { id: fixed, message: Beware of copies of ${LONG_WORD}., tone: warning, dismissible: false }
  - { id: docs, message: For programs., tone: info, link_url: /api/v1/docs, link_label: All calls }
  - { id: later, message: Not yet., tone: info, starts_date: P1D }
  - { id: earlier, message: No more., tone: info, starts_date: -P2D, ends_date: -P1D }
`,
})

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Bann')
  await registerPerson(product.address, person)
})

const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })
const banner = (page: Page, text: string) =>
  notices(page).getByRole('listitem').filter({ hasText: text })

const openOlder = (page: Page) => notices(page).getByRole('button', { name: '2 more' }).click()

test('the newest and what warns are shown, and a button opens the older ones', async ({ page }) => {
  await page.goto('/login')
  const shown = notices(page).getByRole('listitem')
  await expect(shown).toHaveText([/Tokens are released over five months/, /Beware/])
  const line = await shown.first().boundingBox()
  expect(line?.height ?? Infinity, 'beside the line of the sandbox').toBeLessThan(64)
  const more = notices(page).getByRole('button', { name: '2 more' })
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(shown).toHaveCount(4)
  await notices(page).getByRole('button', { name: 'Show less' }).click()
  await expect(shown).toHaveCount(2)
  await expect(notices(page)).toContainText('Sandbox: do not send real money.')
})

test('a notice that links to the present page is not shown on it', async ({ page }) => {
  await page.goto('/info')
  await expect(banner(page, 'The first stage')).toBeVisible()
  await expect(page.getByText('Tokens are released over five months.')).toHaveCount(0)
})

test('each has its tone by icon, colour and a word, and none shows out of its time', async ({
  page,
}) => {
  await page.goto('/login')
  await openOlder(page)
  await expect(notices(page).getByRole('listitem')).toHaveCount(4)
  const looks = new Set<string>()
  for (const [text, word] of [
    ['Tokens are released', 'Note:'],
    ['The first stage', 'Good to know:'],
    ['Beware of copies', 'Warning:'],
  ] as const) {
    const shown = banner(page, text)
    await expect(shown).toContainText(word)
    const icon = shown.locator('svg').first()
    const colour = await icon.evaluate((element) => getComputedStyle(element).color)
    looks.add(`${colour} ${await icon.innerHTML()}`)
  }
  expect(looks.size).toBe(3)
  await takePictures(page, 'banners')
  await expectAccessible(page, 'banners')
})

test('its link to a page opens in the same tab, to another site beside it', async ({
  page,
  context,
}) => {
  await page.goto('/login')
  await openOlder(page)
  await expect(page.getByRole('link', { name: 'Read more' })).toHaveAttribute('target', '_blank')
  await expect(page.getByRole('link', { name: 'Read more' })).toHaveAttribute('rel', 'noreferrer')
  await page.getByRole('link', { name: 'How it works' }).click()
  await page.waitForURL((url) => url.pathname === '/info')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('link', { name: 'All calls' }).click()
  await expect(page).toHaveURL(/\/api\/v1\/docs$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('API')
  expect(context.pages()).toHaveLength(1)
})

test('a dismissed one stays away, until the login and the logout bring it back', async ({
  page,
  faults,
}) => {
  const inside = banner(page, 'Tokens are released')
  const dismiss = () => inside.getByRole('button', { name: 'Dismiss' })
  await page.goto('/login')
  await openOlder(page)
  await expect(banner(page, 'Beware')).toBeVisible()
  await expect(banner(page, 'Beware').getByRole('button', { name: 'Dismiss' })).toBeHidden()
  await dismiss().click()
  await expect(inside).toBeHidden()
  await expect(page.locator('body'), 'the focus is not lost').not.toBeFocused()
  expect((await readStored(page))['banners']).toBe('string:["inside"]')
  await page.reload()
  await expect(banner(page, 'The first stage')).toBeVisible()
  await expect(inside).toBeHidden()

  await logIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname === '/')
  await expect(inside).toBeVisible()
  await dismiss().click()
  await page.reload()
  await expect(banner(page, 'The first stage')).toBeVisible()
  await expect(inside).toBeHidden()

  await sidebar(page).getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/login')
  await expect(inside).toBeVisible()
  expect(await readStored(page)).toEqual({ banners: 'string:[]' })
  // A call in progress at the logout may be refused; from here on that is ignored.
  await page.close()
  excuseStatus(faults, 401)
})
