import { expect, type Page } from '@playwright/test'

import type { ResultOf } from '#contract/endpoint.ts'
import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { sidebar, targetOf } from '#tests/e2e/kit/layout.ts'
import { enter, openFromSidebar } from '#tests/e2e/kit/pages.ts'
import { type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff } from '#tests/e2e/kit/sale.ts'
import { showTheme, takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

type Promotion = ResultOf<typeof saleContract.listPromotions>[number]

const CALL = '**/api/v1/promotions'

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Paul')
  await registerPerson(product.address, person)
})

const pictures = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('link')
    .filter({ has: page.locator('img') })
const placeholders = (page: Page) => page.getByRole('main').locator('.animate-pulse')
const menuEntry = (page: Page) => sidebar(page).getByRole('link', { name: 'Promotions' })

test('the pictures are in a grid, and each leads to its purchase', async ({ page }) => {
  await enter(page, person)
  await openFromSidebar(page, 'Promotions')
  await expect(pictures(page)).toHaveCount(4)
  const targets = await Promise.all((await pictures(page).all()).map(targetOf))
  expect(targets).toEqual([
    { href: '/buy?usd_amount=100&token_id=eth', isBeside: false },
    { href: '/buy?usd_amount=1000&token_id=usdt', isBeside: false },
    { href: '/buy?usd_amount=250&token_id=matic', isBeside: false },
    { href: '/buy?usd_amount=250&token_id=bnb', isBeside: false },
  ])
  for (const picture of await pictures(page).locator('img').filter({ visible: true }).all()) {
    await picture.scrollIntoViewIfNeeded()
    const widthOf = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(widthOf).toBe(1200)
    const file = await page.request.get((await picture.getAttribute('src')) ?? '')
    expect(file.headers()).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
  const [first, second] = [
    await pictures(page).nth(0).boundingBox(),
    await pictures(page).nth(1).boundingBox(),
  ]
  expect(second?.y, 'side by side').toBe(first?.y)
  await takePictures(page, 'promotions')
  await expectAccessible(page, 'promotions')

  await page.getByRole('link', { name: 'Buy: pay with matic' }).click()
  await page.waitForURL((url) => url.pathname === '/buy')
  await expect(page.getByLabel('I want to spend')).toHaveValue('250')
  await expect(page.getByRole('button', { name: /^Payment token/ })).toContainText('MATIC')
})

test('two placeholders stand in while they load, and the menu has no entry yet', async ({
  page,
}) => {
  const answered = Promise.withResolvers<void>()
  await page.route(CALL, async (route) => {
    await answered.promise
    await route.continue()
  })
  await enter(page, person)
  await expect(sidebar(page).getByRole('link', { name: 'Referrals' })).toBeVisible()
  await expect(menuEntry(page)).toBeHidden()
  await page.goto('/promotions')
  await expect(placeholders(page)).toHaveCount(2)
  await expect(menuEntry(page)).toBeHidden()
  answered.resolve()
  await expect(pictures(page)).toHaveCount(4)
  await expect(placeholders(page)).toHaveCount(0)
  await expect(menuEntry(page)).toBeVisible()
})

test('one picture alone is no grid', async ({ page }) => {
  await page.route(CALL, async (route) => {
    const reply = await route.fetch()
    const [first] = await reply.json()
    await route.fulfill({ response: reply, json: [first] })
  })
  await enter(page, person, '/promotions')
  await expect(pictures(page)).toHaveCount(1)
  const [picture, content] = [
    await pictures(page).boundingBox(),
    await page.getByRole('main').boundingBox(),
  ]
  expect(picture?.width).toBe(content?.width)
})

test('a picture of another shape is shown whole', async ({ page, product }) => {
  const project = await callProduct(product.address, saleContract.getCurrentProject, {})
  await page.route(CALL, async (route) => {
    const reply = await route.fetch()
    const [first] = await reply.json()
    const wide = { image_url: project.logo_url, image_blue_url: null, title: null, detail: null }
    await route.fulfill({ response: reply, json: [{ ...first, ...wide }] })
  })
  await enter(page, person, '/promotions')
  const picture = pictures(page).locator('img')
  const shape = () =>
    picture.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)
  await expect.poll(shape).toBeGreaterThan(2)
  const box = await picture.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(await shape(), 1)
})

test('a promotion whose picture does not load is still told by its words', async ({
  page,
  faults,
}) => {
  await page.route(CALL, async (route) => {
    const reply = await route.fetch()
    const [first] = await reply.json()
    const lost = { image_url: '/lost.png', image_blue_url: null, title: 'Up to +15%' }
    await route.fulfill({ response: reply, json: [{ ...first, ...lost }] })
  })
  await page.route('**/lost.png', (route) => route.abort())
  await enter(page, person, '/promotions')
  await expect(page.getByText('Up to +15%').locator('..')).toHaveCSS('opacity', '1')
  allowCutOff(faults)
})

test('they are fetched once per user, and again on demand if that failed', async ({
  page,
  faults,
}) => {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/promotions')) asked += 1
  })
  await enter(page, person)
  await expect(menuEntry(page)).toBeVisible()
  await openFromSidebar(page, 'Promotions')
  await openFromSidebar(page, 'Referrals')
  await openFromSidebar(page, 'Promotions')
  await expect(pictures(page)).toHaveCount(4)
  expect(asked).toBe(1)

  await page.route(CALL, (route) => route.abort())
  await page.goto('/promotions')
  const failed = page.getByRole('alert').filter({ hasText: 'The promotions could not be loaded' })
  await expect(failed).toBeVisible()
  await expect(menuEntry(page)).toBeHidden()
  await page.unroute(CALL)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(pictures(page)).toHaveCount(4)
  allowCutOff(faults)
})

test('what a promotion proposes cannot lead anywhere else', async ({ page }) => {
  await page.route(CALL, async (route) => {
    const reply = await route.fetch()
    const promotions: object[] = await reply.json()
    const hostile = {
      usd_amount: 'javascript:alert(1)',
      token_id: '//evil.example/?"><script>',
    }
    const changed = promotions.map((promotion) => ({
      ...promotion,
      link_url: '//evil.example',
      buy_params: hostile,
    }))
    await route.fulfill({ response: reply, json: changed })
  })
  await enter(page, person, '/promotions')
  await expect(pictures(page)).toHaveCount(4)
  const { href } = await targetOf(pictures(page).first())
  expect(new URL(href, 'http://here').origin).toBe('http://here')
  expect(new URL(href, 'http://here').pathname).toBe('/buy')
  await pictures(page).first().click()
  await page.waitForURL((url) => url.pathname === '/buy')
  await expect(page.getByLabel('I want to spend')).toHaveValue('1000')
  await expect(page.getByRole('button', { name: /^Payment token/ })).toContainText('ETH')
})

test('the words of a promotion stand on the picture of the theme, and are its name', async ({
  page,
}) => {
  let blue: string | null | undefined
  const words = { title: '$25', detail: 'in PEAR for you, once a friend has spent $250' }
  await page.route(CALL, async (route) => {
    const reply = await route.fetch()
    const promotions: Promotion[] = await reply.json()
    const promotion = promotions.find(({ key }) => key === 'pay-with-bnb')
    blue = promotion?.image_blue_url
    await route.fulfill({
      response: reply,
      json: [{ ...promotion, ...words, link_url: '/referrals' }],
    })
  })
  await enter(page, person, '/promotions')
  const poster = page.getByRole('link', { name: `${words.title} ${words.detail}` })
  await expect(poster).toBeVisible()
  await expect(poster.getByRole('img'), 'the words say it all').toHaveCount(0)
  const shown = () =>
    poster
      .locator('img')
      .evaluateAll((images) =>
        images.filter((image) => image.checkVisibility()).map((image) => image.getAttribute('src')),
      )
  const inDark = await shown()
  expect(inDark).toHaveLength(1)
  await showTheme(page, 'blue')
  expect(await shown()).toEqual([blue])
  expect(inDark).not.toEqual(await shown())
  await showTheme(page, 'dark')

  // Words too large for the half that is theirs make the picture higher, and stay inside.
  await page.setViewportSize({ width: 375, height: 812 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  const [box, text] = [
    await poster.boundingBox(),
    await poster.getByText(words.detail).first().boundingBox(),
  ]
  expect((text?.y ?? 0) + (text?.height ?? Infinity)).toBeLessThanOrEqual(
    (box?.y ?? 0) + (box?.height ?? 0),
  )
  await poster.click()
  await page.waitForURL((url) => url.pathname === '/referrals')
})
