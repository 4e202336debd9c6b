import { expect, type Page } from '@playwright/test'

import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  enterAsNewBuyer,
  mineBlocks,
  payByHttp,
  spendField,
} from '#tests/e2e/kit/buying.ts'
import { registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { test } from '#tests/e2e/kit/test.ts'

// All tokens together are worth $1,000.
test.use({
  saleFile: buyingSaleFile({
    tokenPrice: '0.01',
    totalTokens: '100000',
    bonuses:
      '{ tiered_fiat: [{ amount: 100, percentage: 0 }, { amount: 500, percentage: 0 }, { amount: 2000, percentage: 0 }] }',
  }),
})

const preset = (page: Page, name: RegExp) =>
  page.getByRole('toolbar', { name: 'Amounts with a bonus' }).getByRole('button', { name })

test('amounts that the stage has no room for cannot be chosen, and everybody learns why', async ({
  page,
  product,
}) => {
  const { address } = product
  await enterAsNewBuyer(page, address, 'Prisca')
  const rival = await registerPerson(address, somebody('Rivale'))
  await page.goto('/buy?usd_amount=100')
  const most = preset(page, /^\$2,000/)
  await expect(most).toBeDisabled()
  await expect(most).toHaveAccessibleDescription("Can't spend more than $1,000")
  await expect(page.getByText("Can't spend more than $1,000", { exact: true })).toBeVisible()
  await expectAccessible(page, 'buy with a preset that is too much')

  await test.step('by pointer or by keyboard, which reaches them', async () => {
    await most.click({ force: true })
    await expect(spendField(page)).toHaveValue('100')
    await preset(page, /^\$100/).focus()
    await page.keyboard.press('End')
    await expect(most).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(spendField(page)).toHaveValue('100')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(spendField(page)).toHaveValue('500')
    await spendField(page).fill('100')
  })

  await test.step('what others buy meanwhile counts as well', async () => {
    await expect(preset(page, /^\$500/)).toBeEnabled()
    const purchase = await buyByHttp(address, rival, 600)
    await payByHttp(address, purchase, purchase.payment_amount ?? '')
    await mineBlocks(address, 2)
    await expect(preset(page, /^\$500/)).toHaveAccessibleDescription("Can't spend more than $400")
    await expect(preset(page, /^\$100/)).toBeEnabled()
  })
})
