import { expect, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff, buy } from '#tests/e2e/kit/sale.ts'
import { card, chart, recentRows } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures, viewports } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.afterEach(({ faults }) => allowCutOff(faults))

const DATA = /\/api\/v1\/(stages|price-chart|projects|users\/[^/]+\/transactions)/

/** What moves by less is rounding. */
const SHIFT_MOST_PX = 2

async function enterAsSomebodyNew(page: Page, address: string) {
  const person = somebody('Dora')
  const session = await registerPerson(address, person)
  await enter(page, person)
  return session
}

test('before the first purchase the dashboard explains the sale and invites to it', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  await enterAsSomebodyNew(page, product.address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DASHBOARD')

  const balance = card(page, 'Token Balance')
  await expect(balance).toContainText('Buy your first HUH')
  // Other files may have bought of this product already, which raises the price a little.
  await expect(balance).toContainText(/1,000 HUH cost \$0\.10 now/)
  await expect(balance.getByTitle('$0', { exact: true })).toBeVisible()
  await expect(balance.getByTitle('0 HUH', { exact: true })).toBeVisible()
  await expect(balance.getByRole('link', { name: 'Buy HUH' })).toHaveAttribute('href', '/buy')

  const stage = card(page, 'Stage 1')
  await expect(stage.getByTitle(/^\$0\.0001\d* \/ HUH$/)).toHaveText(/^\$0\.0001\d*\/ HUH$/)
  await expect(stage).toContainText('Tokens in this stage800B')
  await expect(card(page, 'Stage 1 Ends In').getByRole('timer')).toHaveText(
    /^(29|30)days\d\dhours\d\dminutes\d\dseconds$/,
  )
  await expect(chart(page)).toBeVisible()
  await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
  await takePictures(page, 'dashboard-empty')
  await expectAccessible(page, 'dashboard before the first purchase')
})

test('tokens show their value at the left and their number at the right', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const session = await enterAsSomebodyNew(page, product.address)
  await buy(product.address, session, 1000)
  const stage = await callProduct(product.address, saleContract.getActiveStage, {})
  const balance = card(page, 'Token Balance')
  const value = balance.locator('data').first()
  const tokens = balance.getByTitle(/ HUH$/)
  await expect(value).toHaveText(/^\$1,\d{3}(\.\d\d)?$/)
  await expect(tokens).toHaveText(/^\d\d,\d{3},\d{3}(\.\d\d)?HUH$/)
  const left = await value.boundingBox()
  const right = await tokens.boundingBox()
  expect(left?.x ?? 0).toBeLessThan(right?.x ?? 0)
  const price = card(page, 'Stage 1').locator('data').first()
  await expect(price, 'exact to whoever asks').toHaveAttribute('value', `$${stage.token_price}`)
  expect(await price.innerText(), 'six digits to take in').toMatch(/^\$0\.0+[1-9]\d{0,5}\n/)
  await takePictures(page, 'dashboard-values')
  await expectAccessible(page, 'dashboard with tokens')
})

test('the five newest transactions are shown, with the way to all', async ({ page, product }) => {
  const session = await enterAsSomebodyNew(page, product.address)
  for (const usd of [101, 102, 103, 104, 105, 106]) await buyByHttp(product.address, session, usd)
  const amounts = ['$106', '$105', '$104', '$103', '$102']
  await expect(recentRows(page)).toHaveCount(amounts.length)
  for (const [index, amount] of amounts.entries()) {
    await expect(recentRows(page).nth(index)).toContainText(amount)
  }
  await page.getByRole('link', { name: 'All transactions' }).click()
  await page.waitForURL((url) => url.pathname === '/buy')
})

for (const { width } of viewports) {
  test(`nothing moves when the data arrives at ${width} px`, async ({ page, product }) => {
    // So high that all of the page is in view: only what is seen to move counts.
    await page.setViewportSize({ width, height: 2400 })
    await enterAsSomebodyNew(page, product.address)
    await expect(chart(page)).toBeVisible()
    const release = await holdData(page)
    await watchShifts(page)
    await page.reload()
    await expect(card(page, 'Token Balance')).toBeVisible()
    await expect(card(page, 'Price'), 'the chart is shown while it loads').toBeVisible()
    if (width === 1280) {
      await takePictures(page, 'dashboard-loading')
      // Pictures are taken in other sizes of the window, which moves everything.
      await clearShifts(page)
    }
    release()
    await expect(chart(page)).toBeVisible()
    await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
    expect(await readShifts(page)).toEqual([])
  })
}

test('what cannot be loaded shows an error, and is tried again', async ({ page, product }) => {
  test.setTimeout(120_000)
  await enterAsSomebodyNew(page, product.address)
  await page.route(DATA, (route) => route.abort('connectionrefused'))
  await page.reload()
  const failed = ['The sale could not be loaded', 'The price chart could not be loaded']
  for (const text of failed) await expect(page.getByText(text)).toBeVisible()
  await takePictures(page, 'dashboard-failed')
  await expectAccessible(page, 'dashboard that could not be loaded')

  await page.unroute(DATA)
  for (const text of failed) {
    const retry = page.getByRole('alert').filter({ hasText: text })
    // One may have been asked for again by itself meanwhile.
    if (await retry.isVisible()) await retry.getByRole('button', { name: 'Try again' }).click()
  }
  await expect(card(page, 'Stage 1')).toBeVisible()
  await expect(chart(page)).toBeVisible()
})

// Last of all: what is sold raises the price, and a longer price may take another line.
for (const { width } of viewports) {
  test(`what somebody owns moves nothing when its value arrives at ${width} px`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height: 2400 })
    const session = await enterAsSomebodyNew(page, product.address)
    await buy(product.address, session, 12_345.67)
    await expect(card(page, 'Token Balance')).not.toContainText('Buy your first')
    const release = await holdData(page)
    await watchShifts(page)
    await page.reload()
    await expect(card(page, 'Price'), 'the chart is shown while it loads').toBeVisible()
    release()
    await expect(card(page, 'Token Balance').getByTitle(/ HUH$/)).toBeVisible()
    await expect(chart(page)).toBeVisible()
    expect(await readShifts(page)).toEqual([])
  })
}

test('on a tablet all transactions are of one height, whatever they come to', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  const session = await enterAsSomebodyNew(page, product.address)
  for (const usd of [100, 12_345.67]) await buyByHttp(product.address, session, usd)
  await expect(recentRows(page)).toHaveCount(2)
  const heights = await recentRows(page).evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height),
  )
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(SHIFT_MOST_PX)
})

/**
 * Collects from the next loading of the page on what moves up or down by itself. What is around it
 * may: fewer transactions than the rows that stand for them pull up the footer, and the menu has
 * promotions only once there are any (specification section 2). Words move sideways
 * by a little when their typeface arrives, which is not what is looked for here.
 */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript((most) => {
    Object.assign(window, { shifts: [] })
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Shift = PerformanceEntry & { sources: Source[] }
    const observer = new PerformanceObserver((list) => {
      for (const { node, previousRect: from, currentRect: to } of (
        list.getEntries() as Shift[]
      ).flatMap(({ sources }) => sources)) {
        const element = node instanceof Element ? node : node?.parentElement
        const px = Math.abs(to.y - from.y)
        if (px <= most || !element?.closest('main')) continue
        if ('shifts' in window && Array.isArray(window.shifts))
          window.shifts.push(`${px} px: ${element?.outerHTML.slice(0, 200)}`)
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
  }, SHIFT_MOST_PX)
}

/** Keeps the page waiting for its data until what it returns is called. */
async function holdData(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(DATA, async (route) => {
    await released
    await route.continue()
  })
  return release
}

function clearShifts(page: Page): Promise<unknown> {
  return page.evaluate(() => Object.assign(window, { shifts: [] }))
}

function readShifts(page: Page): Promise<unknown> {
  return page.evaluate(() => ('shifts' in window ? window.shifts : null))
}
