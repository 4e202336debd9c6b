import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  bonusList,
  deal,
  enterAsNewBuyer,
  fixPrices,
  mineBlocks,
  payByHttp,
  spendField,
  tokenButton,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { buyForm, tabTo, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { transactionsContract } from '#contract/transactions.ts'

const bonuses =
  '{ base_percentage: 28, tiered_fiat: [{ amount: 250, percentage: 0 }, ' +
  '{ amount: 1000, percentage: 0 }, { amount: 2500, percentage: 0 }] }'

test.use({
  saleFile: buyingSaleFile({ tokenPrice: '0.0001', totalTokens: '900000000000', bonuses }),
})

const PRICES = { ETH: 2500, BTC: 60_000, BNB: 550, MATIC: 0.5 }
const pay = (page: Page) => buyForm(page).getByRole('button', { name: 'Pay', exact: true })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })

  test('what is got for what stands beside Pay, and the deal above the bonuses', async ({
    page,
    product,
  }) => {
    await enterAsNewBuyer(page, product.address, 'Pia')
    await fixPrices(page, PRICES)
    await page.goto('/buy')
    await expect(deal(page)).toBeVisible()
    const inShort = buyForm(page).getByText('$1,000 → 12.8 million PEAR', { exact: true })
    await expect(inShort).toBeInViewport()
    await expect(pay(page)).toBeInViewport()
    const header = page.getByRole('button', { name: /Eligible Bonuses/ })
    await expect(header).toHaveAttribute('aria-expanded', 'false')
    await expect(bonusList(page)).toBeHidden()
    const topOf = async (part: ReturnType<typeof deal>) => (await part.boundingBox())?.y ?? NaN
    expect(await topOf(deal(page))).toBeLessThan(await topOf(header))
    const presets = page.getByRole('toolbar', { name: 'Amounts with a bonus' })
    expect(await topOf(tokenButton(page))).toBeLessThan(await topOf(presets))
    await header.tap()
    await expect(bonusList(page)).toBeVisible()
    await takePictures(page, 'buy-phone')
    await expectAccessible(page, 'buy on a phone')
  })
})

test('a price can be read, and its title has every digit', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Paul')
  await fixPrices(page, PRICES)
  await page.goto('/buy')
  await expect(page.getByText('Orchard: $0.10 for 1,000 PEAR.')).toBeVisible()
  await expect(buyForm(page).getByText('$0.10 for 1,000 PEAR')).toHaveAttribute(
    'title',
    'Exactly $0.0001 for one PEAR',
  )
})

test('large amounts are read in groups beside the field, whose own digits stay plain', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Gus')
  await fixPrices(page, PRICES)
  await page.goto('/buy')
  const reading = buyForm(page).locator('[data-reading]')
  await expect(reading).toHaveText('1,000')
  await spendField(page).fill('12345.6')
  await expect(spendField(page)).toHaveValue('12345.6')
  await expect(reading).toHaveText('12,345.6')
  await spendField(page).press('Home')
  await spendField(page).press('ArrowRight')
  await page.keyboard.type('9')
  await expect(spendField(page)).toHaveValue('192345.6')
  const caret = () =>
    spendField(page).evaluate((field) => field instanceof HTMLInputElement && field.selectionStart)
  expect(await caret()).toBe(2)
  await spendField(page).fill('999')
  await expect(reading).toHaveCount(0)
})

test('an amount outside the limits is not fetched again', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Sam')
  await fixPrices(page, PRICES)
  await page.goto('/buy')
  await spendField(page).fill('5')
  await expect(page.getByText('The minimum is $10.', { exact: true })).toBeVisible()
  await spendField(page).fill('5001')
  await expect(page.getByText('The maximum is $5,000.', { exact: true })).toBeVisible()
  await spendField(page).fill('')
  await expect(page.getByText('Enter an amount to see what you get.')).toBeVisible()
})

test('the shortcuts are one stop of the Tab key, and arrow keys go along them', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Kim')
  await fixPrices(page, PRICES)
  await page.goto('/buy')
  const preset = (text: RegExp) => page.getByRole('button', { name: text })
  await expect(preset(/^\$1,000/)).toHaveAttribute('aria-pressed', 'true')
  await tabTo(page, tokenButton(page))
  await page.keyboard.press('Tab')
  await expect(preset(/^\$1,000/)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(preset(/^\$2,500/)).toBeFocused()
  await expect(spendField(page)).toHaveValue('1000')
  await page.keyboard.press('Enter')
  await expect(spendField(page)).toHaveValue('2500')
  await page.keyboard.press('Home')
  await expect(preset(/^\$250/)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(pay(page)).toBeFocused()
})

test('once it is paid, the form is replaced with what was bought, until the buyer wants more', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Mona')
  await page.goto('/buy?usd_amount=250')
  await expect(deal(page)).toBeVisible()
  await pay(page).click()
  await expect(transactionDialog(page)).toContainText('Pending')
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  await page.keyboard.press('Escape')
  await expect(pay(page)).toBeVisible()

  const purchase = await callProduct(
    address,
    transactionsContract.getTransaction,
    { params: { id } },
    session.accessToken,
  )
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await expect(page.getByText('Your payment has arrived, and is being confirmed.')).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
  await mineBlocks(address, 2)
  await expect(page.getByText('3,200,000 PEAR are yours.', { exact: true })).toBeVisible()
  await takePictures(page, 'buy-bought')
  await expectAccessible(page, 'buy with a purchase that is paid')
  await test.step('looking through the list of purchases does not bring the form back', async () => {
    for (const name of ['Done', 'All']) {
      await page.getByRole('radiogroup', { name: 'Show' }).getByText(name, { exact: true }).click()
      await expect(page).toHaveURL(name === 'All' ? /amount=250$/ : /state=done$/)
      await expect(page.getByText('3,200,000 PEAR are yours.', { exact: true })).toBeVisible()
      await expect(pay(page)).toHaveCount(0)
    }
  })
  await test.step('whoever comes again by the menu means to buy', async () => {
    await page.getByRole('link', { name: 'Buy', exact: true }).click()
    await expect(pay(page)).toBeVisible()
    await page.goBack()
    await expect(pay(page)).toHaveCount(0)
  })
  await page.getByRole('button', { name: 'Buy more' }).click()
  await expect(spendField(page)).toBeFocused()
  await expect(pay(page)).toBeVisible()
})

test('the focus is not lost with the form', async ({ page, product }) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Mira')
  await page.goto('/buy?usd_amount=250')
  await expect(deal(page)).toBeVisible()
  await pay(page).click()
  const id = () => new URL(page.url()).searchParams.get('id') ?? ''
  await expect.poll(id).not.toBe('')
  const purchase = await callProduct(
    address,
    transactionsContract.getTransaction,
    { params: { id: id() } },
    session.accessToken,
  )
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await expect(transactionDialog(page).locator('[data-tone]').first()).not.toHaveText('Pending')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Buy more' })).toBeFocused()
})

test('what can be lost is said above Pay', async ({ page, product }) => {
  await enterAsNewBuyer(page, product.address, 'Rita')
  const statement = 'You can lose everything you put in.'
  await page.route('**/api/v1/projects/current', async (route) => {
    const reply = await route.fetch()
    const project: object = await reply.json()
    await route.fulfill({ json: { ...project, risk: { statement, summary: [] } } })
  })
  await page.goto('/buy')
  const risk = buyForm(page).getByText(statement)
  await expect(risk).toBeVisible()
  const [above, below] = [await risk.boundingBox(), await pay(page).boundingBox()]
  expect(above?.y).toBeLessThan(below?.y ?? NaN)
})
