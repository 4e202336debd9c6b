import { expect, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  deal,
  closeAndDropFaults,
  dropFaults,
  enterAsNewBuyer,
  mineBlocks,
  payByHttp,
  refusal,
  spendField,
  tokenButton,
  tokenOptions,
} from '#tests/e2e/kit/buying.ts'
import { buyForm, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

// All tokens together are worth $1,000, and the smallest purchase is $10.
test.use({ saleFile: buyingSaleFile({ tokenPrice: '0.01', totalTokens: '100000' }) })

const refusalShown = (page: Page) => buyForm(page).locator('[data-refusal]')

// This comes first, since the other test ends the sale.
test('tokens that others gave back are offered on the open page', async ({
  page,
  product,
  faults,
}) => {
  await page.clock.install()
  await enterAsNewBuyer(page, product.address, 'Greta')
  // The page learns that everything is reserved for the moment, and then that it is not.
  let isReserved = true
  await page.route('**/api/v1/calculations/bonus', (route) =>
    isReserved
      ? route.fulfill(refusal(409, 'NoTokensLeft', 'No tokens are left right now'))
      : route.fulfill({ json: {} }),
  )
  await page.goto('/buy?usd_amount=100')
  await expect(spendField(page)).toHaveAccessibleDescription(/No tokens are left right now/)
  isReserved = false
  await page.clock.runFor(10_000)
  await expect(deal(page)).toBeVisible()
  await expect(spendField(page)).not.toHaveAccessibleDescription(/No tokens/)
  await closeAndDropFaults(page, faults, /409/)
})

test('the last tokens: too many, the last remainder, and the end', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Lasse')
  const rival = await registerPerson(address, somebody('Rivale'))
  const pay = () => buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  const settle = async (purchase: Transaction) => {
    await payByHttp(address, purchase, purchase.payment_amount ?? '')
    await mineBlocks(address, 2)
  }
  await page.goto('/buy?usd_amount=990')
  await expect(spendField(page)).toHaveValue('990')
  await expect(deal(page)).toBeVisible()
  const most = await buyByHttp(address, rival, 995)

  await test.step('what somebody else reserves appears on the open page by itself', async () => {
    await expect(spendField(page)).toHaveAccessibleDescription(/Only \$5 worth of tokens are left/)
    await expect(spendField(page)).toHaveAccessibleDescription(/^From \$5 /)
  })

  await test.step('more than is left is refused with what is left', async () => {
    await pay()
    await expect(refusalShown(page)).toHaveText('Only $5 worth of tokens are left right now')
    await expect(spendField(page)).toHaveValue('990')
    await expect(transactionDialog(page)).toBeHidden()
  })

  await test.step('the form itself now shows it, and takes what is left', async () => {
    // A range up to all that is unsold would contradict it.
    await expect(spendField(page)).toHaveAccessibleDescription(
      /^From \$5 This stage is almost sold out.* Only \$5 worth/,
    )
    await expect(page.getByText('There is no quote for this amount.')).toBeVisible()
    await expect(deal(page)).toBeHidden()
    await spendField(page).fill('5.01')
    await expect(spendField(page)).toHaveAccessibleDescription(/Only \$5 worth of tokens are left/)
    await spendField(page).fill('5')
    await expect(deal(page)).toHaveText(/ for 500 PEAR$/)
    await expect(spendField(page)).toHaveAccessibleDescription(
      /^From \$5 This stage is almost sold out.* no more than what is left\.$/,
    )
  })

  await test.step('once the others are sold, the form shows that little is left', async () => {
    await settle(most)
    await expect(spendField(page)).toHaveAccessibleDescription(
      /^Only \$5 This stage is almost sold out/,
    )
    await takePictures(page, 'buy-last-remainder')
    await spendField(page).fill('4.999999')
    await spendField(page).blur()
    await expect(page.getByText("Can't spend less than $5", { exact: true })).toBeVisible()
    await tokenButton(page).click()
    await expect(tokenOptions(page).filter({ hasText: 'Ethereum' })).toBeVisible()
    await expect(tokenOptions(page).filter({ hasText: '$' }), 'the usual minimum').toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('the last remainder is bought', async () => {
    await spendField(page).fill('5')
    await pay()
    await expect(transactionDialog(page)).toContainText('Pending')
    await page.keyboard.press('Escape')
    await expect(transactionDialog(page)).toBeHidden()
  })

  await test.step('while it is only reserved, none are left right now', async () => {
    await spendField(page).fill('100')
    await expect(spendField(page)).toHaveAccessibleDescription(/No tokens are left right now/)
    await takePictures(page, 'buy-none-left')
    await pay()
    await expect(refusalShown(page)).toHaveText('No tokens are left right now')
    dropFaults(faults, /409/)
  })

  await test.step('paid, it ends the presale on the open page', async () => {
    const { data } = await newest(page)
    await settle(data)
    await expect(page.getByRole('heading', { name: 'Presale has Ended' })).toBeVisible()
    await expect(buyForm(page)).toBeHidden()
    await expect(transactionRows(page).first()).toContainText('Completed')
    expect(session.user.tokens.total).toBe(0)
    await takePictures(page, 'buy-ended')
    dropFaults(faults, /409|410/)
  })

  /** The buyer's newest purchase, as the open page has it. */
  async function newest(on: Page): Promise<{ data: Transaction }> {
    const [reply] = await Promise.all([
      on.waitForResponse((response) => /\/transactions\/[\w-]+$/.test(response.url())),
      transactionRows(on).first().getByRole('button', { name: 'Pay', exact: true }).click(),
    ])
    await on.keyboard.press('Escape')
    return { data: await reply.json() }
  }
})
