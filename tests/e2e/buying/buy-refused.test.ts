import { expect, type Page } from '@playwright/test'

import type { Project, Transaction } from '#contract/shapes.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  deal,
  closeAndDropFaults,
  coinField,
  dropFaults,
  enterAsNewBuyer,
  fixPrices,
  refusal,
  spendField,
  tokenButton,
  tokenOptions,
  wirePrices,
} from '#tests/e2e/kit/buying.ts'
import { buyForm, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { startLiveEvents } from '#tests/e2e/kit/live-events.ts'
import { holdData } from '#tests/e2e/kit/look/shifts.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ saleFile: buyingSaleFile() })

const PRICES = { ETH: 2500, MATIC: 0.5 }

const payButton = (page: Page) => buyForm(page).getByRole('button', { name: 'Pay', exact: true })
const refusalShown = (page: Page) => buyForm(page).locator('[data-refusal]')

async function expectTypedKept(page: Page, usd: string): Promise<void> {
  await expect(spendField(page)).toHaveValue(usd)
  await expect(tokenButton(page)).toContainText('MATIC')
}

test('a refusal is reported, stays to be read, and loses nothing of what was typed', async ({
  page,
  product,
  faults,
}) => {
  await enterAsNewBuyer(page, product.address, 'Rosa')
  await page.goto('/buy?token_id=matic')
  await spendField(page).fill('77.5')
  const sentence = 'There is no up-to-date price for this token. Try again in a minute'
  await page.route('**/api/v1/transactions', (route) =>
    route.fulfill(refusal(503, 'PriceStale', sentence)),
  )
  await payButton(page).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(sentence)
  await expect(refusalShown(page)).toHaveText(sentence)
  await expect(transactionDialog(page)).toBeHidden()
  await expectTypedKept(page, '77.5')
  await takePictures(page, 'buy-refused')
  dropFaults(faults, /503|PriceStale/)

  await test.step('a reply without a body of the server is an internal server error', async () => {
    await page.unroute('**/api/v1/transactions')
    await page.route('**/api/v1/transactions', (route) => route.fulfill({ status: 502, body: '' }))
    await payButton(page).click()
    await expect(refusalShown(page)).toHaveText('Internal server error')
    dropFaults(faults, /502/)
  })

  await test.step('a body without a message gives way to the words of the page', async () => {
    await page.unroute('**/api/v1/transactions')
    await page.route('**/api/v1/transactions', (route) =>
      route.fulfill({ status: 500, json: { code: 500 } }),
    )
    await payButton(page).click()
    await expect(refusalShown(page)).toHaveText('Error creating transaction')
    dropFaults(faults, /500/)
  })

  await test.step('the same again succeeds, and is one purchase with the lost ones', async () => {
    await page.unroute('**/api/v1/transactions')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => keys.push(request.headers()['idempotency-key']))
    // The purchase is made, and its reply is lost on the way.
    await page.route('**/api/v1/transactions', async (route) => {
      await route.fetch()
      await route.fulfill({ status: 504, body: '' })
    })
    await payButton(page).click()
    await expect(refusalShown(page)).toHaveText('Internal server error')
    await page.unroute('**/api/v1/transactions')
    dropFaults(faults, /504/)
    await payButton(page).click()
    await expect(transactionDialog(page)).toBeVisible()
    await expect(transactionRows(page)).toHaveCount(1)
    expect(new Set(keys.filter((key) => key !== undefined)).size).toBe(1)
  })
})

test('coins sent again after a lost answer are the same purchase, also at another price of nearly as much', async ({
  page,
  product,
  faults,
}) => {
  await page.route('**/api/v1/prices', (route) => route.fulfill({ json: wirePrices(PRICES) }))
  const live = await startLiveEvents(page)
  await enterAsNewBuyer(page, product.address, 'Cora')
  await page.goto('/buy?token_id=matic')
  await coinField(page).fill('100')
  await expect(deal(page)).toHaveText('You send 100 MATIC for 5,000 PEAR')
  await page.route('**/api/v1/transactions', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 504, body: '' })
  })
  await payButton(page).click()
  await expect(refusalShown(page)).toHaveText('Internal server error')
  await live.send({ type: 'prices', prices: wirePrices({ ...PRICES, MATIC: 0.504 }) })
  await expect(deal(page)).toHaveText('You send 100 MATIC for 5,040 PEAR')
  await expect(refusalShown(page), 'the form has not changed').toHaveText('Internal server error')
  await page.unroute('**/api/v1/transactions')
  await payButton(page).click()
  await expect(transactionDialog(page)).toBeVisible()
  await expect(transactionRows(page)).toHaveCount(1)
  await closeAndDropFaults(page, faults, /504/)
})

test('a purchase that has expired before its lost answer came again is made anew', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Elsa')
  await page.goto('/buy?token_id=matic&usd_amount=50')
  const keys: (string | undefined)[] = []
  await page.route('**/api/v1/transactions', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    const reply = await route.fetch()
    const { data } = (await reply.json()) as { data: Transaction }
    const status = keys.length === 1 ? 'expired' : data.status
    await route.fulfill({ response: reply, json: { data: { ...data, status } } })
  })
  await payButton(page).click()
  await expect(transactionDialog(page).getByText('Pending', { exact: true })).toBeVisible()
  expect(new Set(keys).size).toBe(2)
  expect(keys).toHaveLength(2)
})

test('an amount that is refused before its limits are known is reported with them, once', async ({
  page,
  product,
  faults,
}) => {
  await enterAsNewBuyer(page, product.address, 'Rolf')
  const release = await holdData(page, /\/tokens\/matic\/minimum-amount$/)
  const left = 'Only $40 worth of tokens are left right now'
  await page.route('**/api/v1/calculations/bonus', (route) =>
    route.fulfill(refusal(409, 'NoTokensLeft', left)),
  )
  const refused = page.waitForResponse('**/api/v1/calculations/bonus')
  await page.goto('/buy?token_id=matic&usd_amount=50')
  await refused
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await expect(buyForm(page)).not.toContainText(/no quote|could not|left right now/)

  release()
  await expect(spendField(page)).toHaveAccessibleDescription(new RegExp(RegExp.escape(left)))
  await expect(buyForm(page)).toContainText('There is no quote for this amount.')
  await closeAndDropFaults(page, faults, /409/)
})

test('what is typed anew takes the refusal away', async ({ page, product, faults }) => {
  await enterAsNewBuyer(page, product.address, 'Ruth')
  await page.goto('/buy?token_id=matic&usd_amount=50')
  await page.route('**/api/v1/transactions', (route) =>
    route.fulfill(refusal(409, 'NoTokensLeft', 'No tokens are left right now')),
  )
  await payButton(page).click()
  await expect(refusalShown(page)).toBeVisible()
  await spendField(page).fill('51')
  await expect(refusalShown(page)).toBeHidden()
  await closeAndDropFaults(page, faults, /409/)
})

test('of two messages about one amount only the last one is shown', async ({
  page,
  product,
  faults,
}) => {
  await enterAsNewBuyer(page, product.address, 'Rita')
  await page.goto('/buy?token_id=matic&usd_amount=50')
  await expect(deal(page)).toBeVisible()
  // Others buy and give back meanwhile.
  const [least, left] = ["Can't spend less than $60", 'Only $40 worth of tokens are left right now']
  await page.route('**/api/v1/transactions', (route) =>
    route.fulfill(refusal(400, 'BelowMinimum', least)),
  )
  await page.route('**/api/v1/calculations/bonus', (route) =>
    route.fulfill(refusal(409, 'NoTokensLeft', left)),
  )
  await payButton(page).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(least)
  await expect(spendField(page)).toHaveAccessibleDescription(new RegExp(RegExp.escape(left)))
  await expect(refusalShown(page)).toBeHidden()
  await closeAndDropFaults(page, faults, /400|409/)
})

test('a sale that is paused meanwhile is shown as paused, and the form comes back as it was', async ({
  page,
  product,
  faults,
}) => {
  await fixPrices(page, PRICES)
  await enterAsNewBuyer(page, product.address, 'Pia')
  await page.clock.install()
  await page.goto('/buy?token_id=matic')
  await spendField(page).fill('88.25')
  const paused = refusal(503, 'SalePaused', 'The token sale is paused')
  await page.route('**/api/v1/transactions', (route) => route.fulfill(paused))
  await page.route('**/api/v1/stages/active', (route) => route.fulfill(paused))
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'The presale is paused' })).toBeVisible()
  await expect(buyForm(page)).toBeHidden()
  await takePictures(page, 'buy-paused')
  await page.unroute('**/api/v1/transactions')
  await page.unroute('**/api/v1/stages/active')
  await page.clock.runFor(31_000)
  await expect(buyForm(page)).toBeVisible()
  await expectTypedKept(page, '88.25')
  await expect(deal(page)).toHaveText('You send 176.5 MATIC for 8,825 PEAR')
  await closeAndDropFaults(page, faults, /503/)
})

test('before the start the page shows when it opens', async ({ page, product, faults }) => {
  await enterAsNewBuyer(page, product.address, 'Nils')
  const { status, json } = refusal(404, 'SaleNotStarted', 'The token sale has not started yet')
  const startsDate = new Date(Date.now() + 86_400_000).toISOString()
  await page.route('**/api/v1/stages/active', (route) =>
    route.fulfill({ status, json: { ...json, starts_date: startsDate } }),
  )
  await page.goto('/buy')
  await expect(page.getByRole('heading', { name: 'Presale has not started' })).toBeVisible()
  await takePictures(page, 'buy-not-started')
  await closeAndDropFaults(page, faults, /404/)
})

test('a token without its network or a fresh price says so before Pay, and only that long', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Ulla')
  let isUnavailable = true
  await page.route('**/api/v1/tokens/matic/minimum-amount', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({
      json: { ...((await reply.json()) as object), is_available: !isUnavailable },
    })
  })
  await page.goto('/buy?token_id=matic')
  const sentence = buyForm(page).getByText(
    'You cannot pay with MATIC at the moment. Wait a minute, or choose another token.',
  )
  await expect(sentence).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
  await payButton(page).click()
  await expect(page.getByLabel('I want to buy with')).toBeFocused()
  await expect(transactionRows(page)).toHaveCount(0)
  isUnavailable = false
  await expect(sentence).toBeHidden({ timeout: 20_000 })
  await payButton(page).click()
  await expect(transactionDialog(page)).toBeVisible()
})

for (const [query, id, coins, usd, other, otherCoins] of [
  ['?token_id=matic', 'MATIC', '100', '50', 'Ethereum', '0.02'],
  ['', 'ETH', '0.04', '100', 'Polygon', '200'],
] as const) {
  test(`an amount of ${id} does not become one of another token once ${id} is switched off`, async ({
    page,
    product,
  }) => {
    await page.route('**/api/v1/prices', (route) => route.fulfill({ json: wirePrices(PRICES) }))
    const live = await startLiveEvents(page)
    await enterAsNewBuyer(page, product.address, 'Otto')
    await page.goto(`/buy${query}`)
    await coinField(page).fill(coins)
    await expect(spendField(page)).toHaveValue(usd)
    await page.route('**/api/v1/projects/current', async (route) => {
      const reply = await route.fetch()
      const project: Project = await reply.json()
      const isOn = (token: { short_name: string }) => token.short_name !== id
      const tokens = project.payment_tokens.filter(isOn)
      await route.fulfill({ json: { ...project, payment_tokens: tokens } })
    })
    await live.send({ type: 'sale' })
    const sentence = buyForm(page).getByText(`You cannot pay with ${id} at the moment.`)
    await expect(sentence).toBeVisible()
    await expect(tokenButton(page)).toContainText(id)
    await expect(coinField(page)).toHaveValue(coins)
    await payButton(page).click()
    await expect(coinField(page)).toBeFocused()

    await tokenButton(page).click()
    await expect(tokenOptions(page).filter({ hasText: id })).toHaveCount(0)
    await tokenOptions(page).filter({ hasText: other }).click()
    await expect(spendField(page)).toHaveValue(usd)
    await expect(coinField(page)).toHaveValue(otherCoins)
    await expect(sentence).toBeHidden()
    await expect(transactionRows(page)).toHaveCount(0)
  })
}

test('a token whose gateway takes more than is left offers nothing, and names the reason', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Vera')
  await page.route('**/api/v1/tokens/matic/minimum-amount', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({
      json: { ...((await reply.json()) as object), rail_min_amount_fiat: 1e9 },
    })
  })
  await page.goto('/buy?token_id=matic')
  const sentence = buyForm(page).getByText(
    'What is left of this stage is too little to pay in MATIC: choose another token.',
  )
  await expect(sentence).toBeVisible()
  await expect(buyForm(page).getByText(/^From \$/)).toBeHidden()
  await payButton(page).click()
  await expect(page.getByLabel('I want to buy with')).toBeFocused()
  await expect(transactionRows(page)).toHaveCount(0)
  await tokenButton(page).click()
  await page.getByRole('option', { name: 'Ethereum ETH on Ethereum (ERC20)' }).click()
  await expect(sentence).toBeHidden()
})
