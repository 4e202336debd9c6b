import { expect, type Locator, type Page } from '@playwright/test'

import { enter } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { buy, saleWith } from '#tests/e2e/kit/sale.ts'
import { card, chart, countCalls, tooltip } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  hasTouch: true,
  saleFile: saleWith([
    'name: First, type: dynamic, token_price: 0.5, final_token_price: 1, total_tokens: 1000, start_date: -P20D',
  ]),
})

const TIME = /^\$[\d.]+\d\d:\d\d$/
const DATE = /^\$[\d.]+[A-Z][a-z]{2} \d{1,2}, \d{4}$/

let isBought = false

/** The price has moved once, from $0.50 to $0.75, before anybody looks. */
async function openChart(page: Page, address: string): Promise<void> {
  const person = somebody('Carla')
  const session = await registerPerson(address, person)
  if (!isBought) await buy(address, session, 250)
  isBought = true
  await enter(page, person)
  await expect(chart(page)).toBeVisible()
}

async function pointAt(page: Page, part: number): Promise<void> {
  await chart(page).scrollIntoViewIfNeeded()
  const box = await chart(page).boundingBox()
  if (box === null) throw new Error('No chart.')
  await page.mouse.move(box.x + box.width * part, box.y + box.height / 2)
}

test('the chart is no higher than it needs, and the plan of all stages has the whole width', async ({
  page,
  product,
}) => {
  await openChart(page, product.address)
  const [main, price, plan] = await Promise.all([
    page.getByRole('main').boundingBox(),
    card(page, 'Price').boundingBox(),
    card(page, 'All stages').boundingBox(),
  ])
  expect(price?.height ?? Infinity).toBeLessThan(400)
  expect(plan?.width ?? 0).toBeGreaterThan((main?.width ?? Infinity) - 100)
})

test('day, week, month and all are asked for, day first', async ({ page, product }) => {
  const calls = countCalls(page, '/price-chart')
  await openChart(page, product.address)
  const periods = card(page, 'Price').getByRole('radio')
  await expect(periods).toHaveCount(4)
  await expect(card(page, 'Price').getByRole('radiogroup')).toHaveText('DayWeekMonthAll')
  await expect(periods.first()).toBeChecked()
  expect(new Set(calls)).toEqual(new Set(['?period=day']))
  for (const period of ['Week', 'Month', 'All']) {
    const answer = page.waitForResponse((response) =>
      response.url().endsWith(`/price-chart?period=${period.toLowerCase()}`),
    )
    await card(page, 'Price').getByRole('radio', { name: period }).check()
    expect((await answer).ok()).toBe(true)
    await expect(chart(page)).toBeVisible()
  }
})

test('the line goes from $0 to the highest price, without dots, in one colour', async ({
  page,
  product,
}) => {
  await openChart(page, product.address)
  const ticks = card(page, 'Price').locator('[aria-hidden] > .tabular')
  await expect(ticks).toHaveText(['$0.75', '$0.375', '$0'])
  await expect(chart(page), 'no words along the x-axis').toHaveText('')
  await expect(chart(page).locator('polyline')).toHaveCount(1)
  await expect(chart(page).locator('circle, marker')).toHaveCount(0)
  const colour = await strokeOf(chart(page))
  await card(page, 'Price').getByRole('radio', { name: 'All' }).check()
  await expect(card(page, 'Price').locator('[aria-busy=true]')).toHaveCount(0)
  expect(await strokeOf(chart(page))).toBe(colour)
  const places = await chart(page).locator('polyline').getAttribute('points')
  const corners = (places ?? '').split(' ').map((corner) => corner.split(',').map(Number))
  const xs = corners.map(([x = 0]) => x)
  expect(xs, 'by date').toEqual(xs.toSorted((a, b) => a - b))
  const ys = corners.map(([, y = 0]) => y)
  expect(Math.min(...ys), 'the highest price is at the top').toBe(0)
  expect(Math.max(...ys), '$0.50 of $0.75 is a third below it').toBeCloseTo(1 / 3, 2)
})

test('the last price and its change stand beside the title, and no dot on the line', async ({
  page,
  product,
}) => {
  await openChart(page, product.address)
  await expect(card(page, 'Price')).toContainText('$0.75+50% in 24 hours')
  expect((await chart(page).boundingBox())?.height).toBeGreaterThanOrEqual(240)
  await expect(
    chart(page).locator('circle, svg ~ *'),
    'no dots (specification section 2)',
  ).toHaveCount(0)
  await expect(chart(page).locator('polygon')).toHaveCount(1)
})

test('a price that has not moved is a sentence and a line, not a block', async ({
  page,
  product,
}) => {
  const points = [0.5, 0.50001].map((price, hour) => ({
    date: new Date(Date.UTC(2030, 0, 1, hour)).toISOString(),
    price,
  }))
  await page.route('**/api/v1/price-chart?*', (route) =>
    route.fulfill({ json: { price_chart: points } }),
  )
  await openChart(page, product.address)
  await expect(card(page, 'Price')).toContainText('The price has not moved in 24 hours: $0.50001')
  await expect(chart(page).locator('polyline')).toHaveCount(1)
  await expect(chart(page).locator('polygon')).toHaveCount(0)
  await card(page, 'Price').getByRole('radio', { name: 'All' }).check()
  await expect(card(page, 'Price')).toContainText('The price has not moved so far')
})

test('the pointer reads a point: hour and minute for a day, else the date', async ({
  page,
  product,
}) => {
  await openChart(page, product.address)
  await expect(tooltip(page)).toBeHidden()
  await pointAt(page, 0.01)
  await expect(tooltip(page)).toHaveText(TIME)
  await expect(tooltip(page)).toContainText('$0.50')
  await pointAt(page, 0.99)
  await expect(tooltip(page)).toContainText('$0.75')
  for (const period of ['Week', 'Month', 'All']) {
    await card(page, 'Price').getByRole('radio', { name: period }).check()
    await expect(card(page, 'Price').locator('[aria-busy=true]')).toHaveCount(0)
    await pointAt(page, 0.99)
    await expect(tooltip(page)).toHaveText(DATE)
  }
  await page.mouse.move(0, 0)
  await expect(tooltip(page)).toBeHidden()
})

test('arrow keys read it point by point', async ({ page, product }) => {
  await openChart(page, product.address)
  await chart(page).focus()
  await expect(tooltip(page)).toContainText('$0.75')
  await page.keyboard.press('Home')
  await expect(tooltip(page)).toContainText('$0.50')
  await expect(chart(page)).toHaveAttribute('aria-valuenow', '0')
  await expect(chart(page)).toHaveAttribute('aria-valuetext', /^\$0\.50, \d\d:\d\d$/)
  await page.keyboard.press('ArrowRight')
  await expect(chart(page)).toHaveAttribute('aria-valuenow', '1')
  await page.keyboard.press('End')
  await expect(tooltip(page)).toContainText('$0.75')
})

test('a finger reads it, and what it has read stays', async ({ page, product }) => {
  await openChart(page, product.address)
  await chart(page).scrollIntoViewIfNeeded()
  const box = await chart(page).boundingBox()
  if (box === null) throw new Error('No chart.')
  await page.touchscreen.tap(box.x + 3, box.y + box.height / 2)
  await expect(tooltip(page)).toContainText('$0.50')
  await page.touchscreen.tap(box.x + box.width - 3, box.y + box.height / 2)
  await expect(tooltip(page)).toContainText('$0.75')
})

async function strokeOf(slider: Locator): Promise<string> {
  return slider.locator('polyline').evaluate((line) => getComputedStyle(line).stroke)
}
