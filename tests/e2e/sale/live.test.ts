import { expect, type Page } from '@playwright/test'

import { enter } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, logInPerson, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { allowCutOff, allowSaleAnswers, buy, saleWith } from '#tests/e2e/kit/sale.ts'
import {
  card,
  chart,
  countCalls,
  expectNeverLoaded,
  mark,
  recentRows,
} from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/sale-server.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'

test.use({
  saleFile: saleWith([
    'name: First, type: dynamic, token_price: 0.5, final_token_price: 1, total_tokens: 1000000, start_date: P0D, end_date: P30D',
  ]),
})

test.afterEach(({ faults }) => {
  allowCutOff(faults)
  allowSaleAnswers(faults)
})

/** Missed changes have to be on the screen within this time, from when that is possible. */
const SOON = { timeout: 2000 }
const NOTICE = 'Connection lost, trying again'

async function openDashboard(page: Page, address: string): Promise<LoggedIn> {
  const person = somebody('Lina')
  await registerPerson(address, person)
  const streams = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
  await enter(page, person)
  expect((await streams).ok()).toBe(true)
  await expect(chart(page)).toBeVisible()
  await expect(card(page, 'Recent Transactions')).toContainText('No transactions')
  await mark(page)
  return logInPerson(address, person)
}

async function expectBought(page: Page, purchases: number): Promise<void> {
  await Promise.all([
    expect(recentRows(page)).toHaveCount(purchases, SOON),
    expect(recentRows(page).first()).toContainText('Completed', SOON),
    expect(card(page, 'First')).not.toContainText('None yet', SOON),
    expect(chart(page)).not.toHaveAttribute('aria-valuetext', /^\$0\.50, /, SOON),
    expect(card(page, 'Token Balance')).toContainText('$', SOON),
  ])
}

test('what happens without a network is there once it is back, and a lost connection is shown', async ({
  page,
  context,
  product,
}) => {
  const buyer = await openDashboard(page, product.address)
  await context.setOffline(true)
  await buy(product.address, buyer, 100)
  await expect(page.getByText(NOTICE)).toBeVisible()
  await takePictures(page, 'dashboard-offline')
  const [notice, header, window] = [
    await page.getByText(NOTICE).boundingBox(),
    await page.getByRole('banner').boundingBox(),
    page.viewportSize(),
  ]
  const middle = (notice?.x ?? 0) + (notice?.width ?? 0) / 2
  expect(Math.abs(middle - (window?.width ?? 0) / 2), 'in the middle').toBeLessThan(16)
  const gap = (notice?.y ?? 0) - (header?.height ?? 0)
  expect(gap, 'below the header').toBeGreaterThanOrEqual(0)
  expect(gap, 'below the header').toBeLessThan(24)
  await expect(page.getByText('No transactions')).toBeVisible()

  await context.setOffline(false)
  await expectBought(page, 1)
  await expect(page.getByText(NOTICE)).toBeHidden(SOON)
  await buy(product.address, buyer, 100)
  await expect(recentRows(page), 'the stream is open again').toHaveCount(2)
  await expectNeverLoaded(page)
})

test('what changes while the page is still coming to life is on it', async ({ page, product }) => {
  const person = somebody('Lina')
  await registerPerson(product.address, person)
  const buyer = await logInPerson(product.address, person)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/events', async (route) => {
    await released
    await route.continue()
  })
  const held = page.waitForRequest('**/api/v1/events')
  await enter(page, person)
  await held
  await expect(card(page, 'First')).toContainText('Left to buy')
  const before = await card(page, 'First').innerText()
  await buy(product.address, buyer, 500)
  release()
  await expect.poll(() => card(page, 'First').innerText(), SOON).not.toBe(before)
})

test('a short interruption shows no notice', async ({ page, context, product }) => {
  await openDashboard(page, product.address)
  await page.clock.install()
  const reconnected = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'))
  await context.setOffline(true)
  await page.clock.runFor(4000)
  await expect(page.getByText(NOTICE)).toBeHidden()
  await context.setOffline(false)
  await page.clock.resume()
  expect((await reconnected).ok()).toBe(true)
})

test('a server that was away is found again', async ({ page, product }) => {
  test.setTimeout(120_000)
  const buyer = await openDashboard(page, product.address)
  await product.shutDown()
  await expect(page.getByText(NOTICE)).toBeVisible()
  const reconnected = page.waitForResponse(
    (response) => response.url().endsWith('/api/v1/events') && response.ok(),
  )
  await product.start()
  await buy(product.address, buyer, 100)
  await reconnected
  await expectBought(page, 1)
  await expect(page.getByText(NOTICE)).toBeHidden(SOON)
  await expectNeverLoaded(page)
})

test('a silent connection is given up, and made again', async ({ page, product }) => {
  await page.clock.install()
  const streams = countCalls(page, '/events')
  await openDashboard(page, product.address)
  await page.clock.pauseAt(Date.now() + 60_000)
  const before = streams.length
  // Three missed heartbeats, since only the page's clock is moved forward.
  await page.clock.runFor(45_000)
  await page.clock.resume()
  await expect.poll(() => streams.length).toBeGreaterThan(before)
})

test('a paused sale is shown as paused, and goes on by itself', async ({
  page,
  context,
  product,
}) => {
  const buyer = await openDashboard(page, product.address)
  await buy(product.address, buyer, 100)
  const buyPage = await context.newPage()
  await buyPage.goto('/buy')
  await expect(buyPage.getByRole('form', { name: 'Purchase' })).toBeVisible()
  await mark(buyPage)

  await product.pause()
  await expect(card(page, 'The presale is paused')).toBeVisible()
  await expect(card(page, 'Token Balance'), 'what is owned keeps its value').toContainText('$')
  await expect(chart(page)).toBeHidden()
  await expect(buyPage.getByRole('form', { name: 'Purchase' })).toBeHidden()
  await expect(buyPage.getByRole('heading', { name: /paused/ })).toBeVisible()
  await takePictures(page, 'dashboard-paused')
  await takePictures(buyPage, 'buy-paused')

  await product.resume()
  await expect(card(page, 'First Ends In')).toBeVisible()
  await expect(chart(page)).toBeVisible()
  await expect(buyPage.getByRole('form', { name: 'Purchase' })).toBeVisible()
  await expectNeverLoaded(page)
  await expectNeverLoaded(buyPage)
})
