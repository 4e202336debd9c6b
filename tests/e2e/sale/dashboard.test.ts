import { expect, type Locator, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp } from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { startLiveEvents } from '#tests/e2e/kit/live-events.ts'
import {
  clearShifts,
  holdData,
  readShifts,
  SHIFT_MOST_PX,
  watchShifts,
} from '#tests/e2e/kit/look/shifts.ts'
import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff, buy } from '#tests/e2e/kit/sale.ts'
import { card, chart, recentRows } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures, viewports } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.afterEach(({ faults }) => allowCutOff(faults))

const DATA = /\/api\/v1\/(stages|price-chart|projects|users\/[^/]+\/transactions)/

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
  const [list, plan] = await Promise.all([
    card(page, 'Recent Transactions').boundingBox(),
    card(page, 'All stages').boundingBox(),
  ])
  expect(list?.y, 'what may wait to be paid comes before the plan').toBeLessThan(plan?.y ?? 0)
  await page.getByRole('link', { name: 'All transactions' }).click()
  await page.waitForURL((url) => url.pathname === '/buy')
})

// At 1024 px the card of the stage is narrower than at any other width.
for (const width of [...viewports.map((viewport) => viewport.width), 1024]) {
  test(`nothing moves when the data arrives at ${width} px`, async ({ page, product }) => {
    // The price of a stage on sale has all its digits, which is when it is longest.
    const buyer = await registerPerson(product.address, somebody('Rich'))
    await buy(product.address, buyer, 12_345.67)
    // So high that the whole page is in view: only visible movements count.
    await page.setViewportSize({ width, height: 2400 })
    await enterAsSomebodyNew(page, product.address)
    await expect(card(page, 'Stage 1').locator('data').first()).toHaveText(/0\d{5,}\/ HUH$/)
    await expect(chart(page)).toBeVisible()
    const release = await holdData(page, DATA)
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

for (const { width } of viewports) {
  test(`nothing moves when the letters arrive late at ${width} px`, async ({ page, product }) => {
    const buyer = await registerPerson(product.address, somebody('Rich'))
    await buy(product.address, buyer, 12_345.67)
    await page.setViewportSize({ width, height: 2400 })
    await enterAsSomebodyNew(page, product.address)
    await expect(chart(page)).toBeVisible()
    const release = await holdData(page, /\/inter-latin[^/]*\.woff2$/)
    await watchShifts(page)
    // The page is not loaded before its letters are.
    await page.reload({ waitUntil: 'commit' })
    await expect(chart(page)).toBeVisible()
    await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
    release()
    await page.waitForLoadState('load')
    await page.evaluate(async () => await document.fonts.ready)
    expect(await readShifts(page)).toEqual([])
  })
}

test('what cannot be loaded shows an error, and is tried again', async ({ page, product }) => {
  test.setTimeout(120_000)
  // What was bought before may still be reported, and a report of the sale has all that is shown.
  await startLiveEvents(page)
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
    // One may have been refetched by itself meanwhile.
    if (await retry.isVisible()) await retry.getByRole('button', { name: 'Try again' }).click()
  }
  await expect(card(page, 'Stage 1')).toBeVisible()
  await expect(chart(page)).toBeVisible()
})

for (const { width } of viewports) {
  test(`what somebody owns moves nothing when its value arrives at ${width} px`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height: 2400 })
    const session = await enterAsSomebodyNew(page, product.address)
    await buy(product.address, session, 12_345.67)
    await expect(card(page, 'Token Balance')).not.toContainText('Buy your first')
    // What the page stores about the user is shown before it is fetched again.
    await expect(firstPurchaseStep(page)).toContainText('Done')
    const release = await holdData(page, DATA)
    await watchShifts(page)
    await page.reload()
    await expect(card(page, 'Price'), 'the chart is shown while it loads').toBeVisible()
    // Below the heading on the narrowest phones, where it would push everything down.
    await expect(page.getByRole('main').getByRole('link', { name: 'Buy HUH' })).toBeVisible()
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

function firstPurchaseStep(page: Page): Locator {
  return page.locator('[data-first-steps] li').filter({ hasText: 'Make your first purchase' })
}
