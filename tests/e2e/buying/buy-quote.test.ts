import { expect, type Locator, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  bonusList,
  coinField,
  deal,
  enterAsNewBuyer,
  fixPrices,
  holdBack,
  spendField,
  tokenButton,
  tokenOptions,
  wirePrices,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { buyForm, readLines } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { testInTime as test } from '#tests/e2e/kit/test.ts'
import { startLiveEvents } from '#tests/e2e/kit/live-events.ts'

/** When the limited-time bonus begins and ends, after the sale was first applied. */
const [BEGINS, ENDS] = ['PT2H', 'PT2H5M']
const STEP_MS = 300_000

const bonuses =
  '{ base_percentage: 10, tiered_fiat: [{ amount: 250, percentage: 2 }, { amount: 1000, percentage: 5 }], ' +
  'payment_tokens: [{ token_id: matic, percentage: 5 }], ' +
  `limited_time: { start_date: ${BEGINS}, end_date: ${ENDS}, percentage: 4 }, ` +
  'signup: { first_purchase_percentage: 5, limited_time: { minutes_after_signup: 60, percentage: 3 } } }'

test.use({ saleFile: buyingSaleFile({ bonuses }) })

const PRICES = { ETH: 2500, BTC: 60_000, BNB: 550, MATIC: 0.5 }

const bonusLine = (page: Page, label: string) => bonusList(page).getByText(label, { exact: true })

/** How much of it is seen, along with what it is in. */
const opacityOf = (part: Locator) =>
  part.evaluate((element) => {
    let opacity = 1
    for (let around: Element | null = element; around !== null; around = around.parentElement) {
      opacity *= Number(getComputedStyle(around).opacity)
    }
    return opacity
  })

test.describe('the quote', () => {
  test.beforeEach(async ({ page, product }) => {
    await fixPrices(page, PRICES)
    await enterAsNewBuyer(page, product.address, 'Quentin')
  })

  test('is the deal in one sentence, and its bonuses add up', async ({ page }) => {
    await page.goto('/buy?usd_amount=300&token_id=matic')
    const percentages = {
      'Stage Bonus': 10,
      '$ Amount Purchase Bonus': 2,
      'Signup Bonus': 3,
      'First Purchase Bonus': 5,
      'Payment Token Bonus': 5,
    }
    await expect(bonusLine(page, 'Payment Token Bonus')).toBeVisible()
    const { 'Total Bonus': total, ...lines } = Object.fromEntries(await readLines(bonusList(page)))
    expect(Object.keys(lines).toSorted()).toEqual(Object.keys(percentages).toSorted())
    // $300 at $0.01 are 30,000 tokens, of which one percent is 300.
    for (const [label, percentage] of Object.entries(percentages)) {
      expect(lines[label]).toBe(`${(300 * percentage).toLocaleString('en')} PEAR`)
    }
    expect(total?.split(/\s+/)).toEqual(['7,500', 'PEAR', '$75'])
    await expect(page.getByRole('button', { name: /Eligible Bonuses/ })).toContainText('+25%')
    // (USD + bonus dollars) / token price = (300 + 75) / 0.01
    await expect(deal(page)).toHaveText('You send 600 MATIC for 37,500 PEAR')
    await takePictures(page, 'buy-bonuses')
    await expectAccessible(page, 'buy with all bonuses')
  })

  test('explains the total bonus to a mouse, to the keyboard and to a finger', async ({
    page,
    browser,
    product,
  }) => {
    const tip = (on: Page) => on.getByRole('tooltip')
    const about = (on: Page) => on.getByRole('button', { name: 'About the total bonus' })
    await page.goto('/buy')
    await expect(deal(page)).toBeVisible()
    // Once the bonuses are there, nothing moves away from under the mouse any more.
    await expect(page.getByRole('button', { name: /Eligible Bonuses/ })).toContainText('+')
    // A mouse takes a while to get somewhere.
    await page.mouse.move(10, 10)
    await about(page).hover()
    await expect(tip(page)).toContainText('Each bonus is a share of the tokens you buy')
    await page.mouse.move(0, 0)
    await expect(tip(page)).toBeHidden()
    await page.getByRole('button', { name: /Eligible Bonuses/ }).focus()
    await page.keyboard.press('Tab')
    await expect(about(page)).toBeFocused()
    await expect(tip(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tip(page)).toBeHidden()

    const phone = await browser.newPage({
      baseURL: product.address,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 375, height: 812 },
    })
    await enterAsNewBuyer(phone, product.address, 'Finger')
    await phone.goto('/buy')
    await expect(deal(phone)).toBeVisible()
    await phone.getByRole('button', { name: /Eligible Bonuses/ }).tap()
    await about(phone).tap()
    await expect(tip(phone)).toBeVisible()
    await phone.close()
  })

  test('is fetched once the form has been unchanged for 200 ms', async ({ page }) => {
    await page.clock.install()
    const asked: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/calculations/bonus')) asked.push(request.postDataJSON())
    })
    await page.goto('/buy')
    await expect(deal(page)).toBeVisible()
    await page.clock.pauseAt(Date.now() + 5000)
    asked.length = 0
    for (const amount of ['4', '40', '400']) {
      await spendField(page).fill(amount)
      await page.clock.runFor(199)
    }
    expect(asked).toEqual([])
    await page.clock.runFor(2)
    await expect
      .poll(() => asked)
      .toMatchObject([{ purchase_token_id: 'eth', purchase_amount: 400, token_price: 0.01 }])
    expect(asked).toMatchObject([{ bonuses: { base_percentage: 10 } }])
  })

  test('never shows an answer that a newer question has overtaken', async ({ page }) => {
    await page.goto('/buy')
    await expect(deal(page)).toBeVisible()
    const { held } = await holdBack(page, '**/api/v1/calculations/bonus')
    await spendField(page).fill('200')
    await expect.poll(() => held.length).toBe(1)
    await spendField(page).fill('100')
    await expect.poll(() => held.length).toBe(2)
    const [older, newer] = held
    await newer?.fulfill({ json: { base_bonus: 1000 } })
    await expect(deal(page)).toHaveText('You send 0.04 ETH for 11,000 PEAR')
    // The page has aborted the older question, so its reply may have nowhere to go.
    await older?.fulfill({ json: { base_bonus: 2000 } }).catch(() => {})
    await spendField(page).fill('100.0')
    await expect.poll(() => held.length).toBe(3)
    await expect(deal(page)).toHaveText('You send 0.04 ETH for 11,000 PEAR')
    await held[2]?.fulfill({ json: { base_bonus: 1000 } })
    await expect(page.getByText('Completed too late')).toBeHidden()
  })

  test('pairs no amount with the tokens of another while the answer is awaited', async ({
    page,
  }) => {
    const parts = [deal(page), page.locator('[data-wanted-share]'), page.locator('[data-in-short]')]
    await page.goto('/buy?usd_amount=200')
    await expect(deal(page)).toHaveText('You send 0.08 ETH for 23,600 PEAR')
    const { held } = await holdBack(page, '**/api/v1/calculations/bonus')
    await spendField(page).fill('4000')
    await expect(coinField(page)).toHaveValue('1.6')
    await expect.poll(() => held.length).toBe(1)
    const shown = await Promise.all(parts.map((part) => part.textContent()))
    expect(shown).toEqual([
      'You send 0.08 ETH for 23,600 PEAR',
      'Your $200 buys 0.0023% of Orchard.',
      '$200 → 23,600 PEAR',
    ])
    for (const part of parts) await expect.poll(() => opacityOf(part)).toBeLessThan(1)
    await held[0]?.fulfill({ json: { base_bonus: 40_000 } })
    await expect(deal(page)).toHaveText('You send 1.6 ETH for 440,000 PEAR')
    for (const part of parts) await expect.poll(() => opacityOf(part)).toBe(1)
  })

  test('is of at least so many tokens where the bonuses cannot be worked out', async ({
    page,
    faults,
  }) => {
    await page.route('**/api/v1/calculations/bonus', (route) =>
      route.fulfill({ status: 400, json: { nothing: 'readable' } }),
    )
    await page.goto('/buy')
    await expect(page.getByText('The bonuses could not be calculated just now')).toBeVisible()
    await expect(deal(page)).toHaveText('You send 0.4 ETH for 100,000 PEAR')
    const summary = page.locator('dl').filter({ hasText: 'Price' })
    expect(Object.fromEntries(await readLines(summary))).toMatchObject({
      Tokens: '100,000',
      Bonus: '–',
      Total: 'at least 100,000',
    })
    faults.length = 0
  })
})

test('prices are asked for every 60 seconds, and not within 6 of the last', async ({
  page,
  product,
}) => {
  let asked = 0
  let usd = 2500
  // An open stream that is silent for a minute of the page's clock is opened again, and asks too.
  await page.route('**/api/v1/events', () => {})
  await page.route('**/api/v1/prices', (route) => {
    asked += 1
    return route.fulfill({ json: wirePrices({ ...PRICES, ETH: usd }) })
  })
  await enterAsNewBuyer(page, product.address, 'Paula')
  await page.clock.install()
  await page.goto('/buy')
  await expect(coinField(page)).toHaveValue('0.4')
  const clock = page.getByRole('timer').filter({ hasText: 'Quote' })
  await expect(clock).toHaveText(/^Quote updates in (60|59|58|57)s$/)
  expect(asked).toBe(1)

  await test.step('the clock runs from 60 to 0, and then the price is new', async () => {
    usd = 2000
    await page.clock.runFor(30_000)
    await expect(clock).toHaveText(/^Quote updates in (2|3)\ds$/)
    expect(asked).toBe(1)
    await page.clock.runFor(31_000)
    await expect(coinField(page)).toHaveValue('0.5')
    expect(asked).toBe(2)
    await expect(clock).toHaveText(/^Quote updates in (60|5\d)s$/)
  })

  await test.step('coming back to the page within 6 seconds asks nothing', async () => {
    // From now on the page's clock moves only where it is told to.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    const away = async (ms: number) => {
      await page.getByRole('link', { name: 'Account', exact: true }).click()
      await page.clock.runFor(ms)
      await page.getByRole('link', { name: 'Buy', exact: true }).click()
      await expect(coinField(page)).toHaveValue('0.5')
    }
    // What the page asks for when it is shown has been asked for once it asks for this.
    const askForBonuses = async (amount: string) => {
      const asking = page.waitForRequest('**/api/v1/calculations/bonus')
      await spendField(page).fill(amount)
      await page.clock.runFor(250)
      await asking
    }
    await page.clock.runFor(45_000)
    await expect(async () => {
      await page.clock.runFor(250)
      await expect(clock).toHaveText('Quote updates in 60s', { timeout: 100 })
    }).toPass({ intervals: [0] })
    expect(asked).toBe(3)
    await away(5500)
    await askForBonuses('2000')
    expect(asked).toBe(3)
    await away(1000)
    await expect.poll(() => asked).toBe(4)
    await askForBonuses('3000')
    expect(asked).toBe(4)
  })
})

test('a price that arrives while the amount is selected leaves it selected, to be typed over', async ({
  page,
  product,
}) => {
  const live = await startLiveEvents(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/prices', async (route) => {
    await released
    await route.fulfill({ json: wirePrices({ ...PRICES, ETH: 2000 }) })
  })
  await enterAsNewBuyer(page, product.address, 'Rhea')
  await page.goto('/buy')
  await coinField(page).focus()
  release()
  await expect(coinField(page)).toHaveValue('0.5')
  await page.keyboard.type('0.12')
  await expect(coinField(page)).toHaveValue('0.12')
  await expect(spendField(page)).toHaveValue('240')

  await test.step('what is being typed is not', async () => {
    await spendField(page).focus()
    await page.keyboard.press('Tab')
    await live.send({ type: 'prices', prices: wirePrices({ ...PRICES, ETH: 1000 }) })
    await expect(spendField(page)).toHaveValue('120')
    await page.keyboard.type('3')
    await live.send({ type: 'prices', prices: wirePrices({ ...PRICES, ETH: 500 }) })
    await expect(spendField(page)).toHaveValue('1500')
    await page.keyboard.type('4')
    await expect(coinField(page)).toHaveValue('34')
  })
})

test('prices of live events do not put off the next fetch', async ({ page, product }) => {
  let asked = 0
  await page.route('**/api/v1/prices', (route) => {
    asked += 1
    return route.fulfill({ json: wirePrices(PRICES) })
  })
  const live = await startLiveEvents(page)
  const expectCoins = async (ethUsd: number, coins: string) => {
    await live.send({ type: 'prices', prices: wirePrices({ ...PRICES, ETH: ethUsd }) })
    await expect(coinField(page)).toHaveValue(coins)
  }
  const clock = page.getByRole('timer').filter({ hasText: 'Quote' })
  const secondsLeft = async () => Number(/(\d+)s$/.exec(await clock.innerText())?.[1])
  await enterAsNewBuyer(page, product.address, 'Ruth')
  await page.clock.install()
  await page.goto('/buy')
  // The page's own fetch is answered first, since its reply would replace the event.
  await expect(coinField(page)).toHaveValue('0.4')
  await expectCoins(2000, '0.5')
  const [askedBefore, leftBefore] = [asked, await secondsLeft()]

  await page.clock.runFor(15_000)
  await expectCoins(1000, '1')
  await page.clock.runFor(15_000)
  await expectCoins(500, '2')
  await page.clock.runFor(15_000)
  await expectCoins(250, '4')
  expect(asked).toBe(askedBefore)
  await expect.poll(secondsLeft).toBeLessThanOrEqual(leftBefore - 45)
  await page.clock.runFor(16_000)
  await expect(coinField(page)).toHaveValue('0.4')
  expect(asked).toBe(askedBefore + 1)
  await expect.poll(secondsLeft).toBeGreaterThan(30)

  await test.step('coins that lose their price are still worth as much in another token', async () => {
    await coinField(page).fill('0.5')
    await expect(spendField(page)).toHaveValue('1250')
    await live.send({ type: 'prices', prices: wirePrices({ BTC: 60_000 }) })
    await expect(spendField(page)).toHaveValue('')
    await tokenButton(page).click()
    await tokenOptions(page).filter({ hasText: 'Bitcoin' }).click()
    await expect(spendField(page)).toHaveValue('1250')
  })
})

test('a token without a price shows it, and another one works', async ({ page, product }) => {
  await fixPrices(page, { BTC: 60_000 })
  await enterAsNewBuyer(page, product.address, 'Nora')
  await page.goto('/buy')
  await expect(coinField(page)).toHaveAccessibleDescription(/There is no price for ETH/)
  await expect(page.getByText('What you get is shown once there is a price')).toBeVisible()
  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(coinField(page)).toBeFocused()
  await tokenButton(page).click()
  await tokenOptions(page).filter({ hasText: 'Bitcoin' }).click()
  await expect(deal(page)).toHaveText(/^You send 0\.01667 BTC for [\d,]+ PEAR$/)
})

// This comes last, since from here on the product's clock is ahead of the others.
test('a limited-time bonus begins and ends while the page is open', async ({ page, product }) => {
  const { bonuses } = await callProduct(product.address, saleContract.getActiveStage, {})
  const beginsMs = Date.parse(bonuses.limited_time?.start_date ?? '')
  await product.passTime(beginsMs - STEP_MS - Date.now())
  await enterAsNewBuyer(page, product.address, 'Lena')
  await page.clock.install({ time: beginsMs - STEP_MS })
  await page.goto('/buy')
  const pass = async () => {
    await product.passTime(STEP_MS)
    await page.clock.fastForward(STEP_MS)
  }
  await expect(bonusLine(page, 'Stage Bonus')).toBeVisible()
  await expect(bonusLine(page, 'Limited Time Bonus')).toBeHidden()
  await pass()
  await expect(bonusLine(page, 'Limited Time Bonus')).toBeVisible()
  await expect(page.getByRole('button', { name: /Eligible Bonuses/ })).toContainText('+27%')
  await pass()
  await expect(bonusLine(page, 'Limited Time Bonus')).toBeHidden()
  await expect(page.getByRole('button', { name: /Eligible Bonuses/ })).toContainText('+23%')
})
