import { expect } from '@playwright/test'
import type { Transaction } from '#contract/shapes.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  deal,
  closeAndDropFaults,
  enterAsNewBuyer,
  payByHttp,
  spendField,
} from '#tests/e2e/kit/buying.ts'
import { buyForm, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

// A purchase is at most $5,000, and so is what one account may have unpaid.
test.use({ saleFile: buyingSaleFile({}) })

test('a buyer who has reserved enough is asked to pay first, and sees how much they may still spend', async ({
  page,
  product,
  faults,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Ulla')
  const unpaid = await buyByHttp(address, session, 4_000)
  const message =
    /One account may reserve \$5,000 at a time without paying\. \$1,000 of that is left/
  await page.goto('/buy?usd_amount=1500')
  await expect(spendField(page)).toHaveAccessibleDescription(message)
  await expect(spendField(page)).toHaveAccessibleDescription(
    /Pay first, or try again in \d+ minutes/,
  )
  await expect(deal(page)).toBeHidden()
  await takePictures(page, 'buy-unpaid')

  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(buyForm(page).locator('[data-refusal]')).toHaveText(message)
  await expect(transactionDialog(page)).toBeHidden()
  await spendField(page).fill('1000')
  await expect(deal(page)).toBeVisible()
  await expect(spendField(page)).not.toHaveAccessibleDescription(message)

  await payByHttp(address, unpaid, unpaid.payment_amount ?? '')
  await spendField(page).fill('1500')
  await expect(deal(page)).toBeVisible()
  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(transactionDialog(page)).toContainText('Pending')
  await closeAndDropFaults(page, faults, /409/)
})

test('a refusal for unpaid purchases gives way to a newer message of the form', async ({
  page,
  product,
  faults,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Rike')
  const settle = async (purchase: Transaction) =>
    await payByHttp(address, purchase, purchase.payment_amount ?? '')
  const refusal = buyForm(page).locator('[data-refusal]')
  const pay = buyForm(page).getByRole('button', { name: 'Pay', exact: true })
  const unpaid = await buyByHttp(address, session, 4_000)
  await page.goto('/buy?usd_amount=1500')
  await expect(spendField(page)).toHaveAccessibleDescription(/\$1,000 of that is left/)

  await test.step('only the newer message is shown', async () => {
    await pay.click()
    await expect(refusal).toHaveText(/\$1,000 of that is left/)
    const more = await buyByHttp(address, session, 500)
    await expect(spendField(page)).toHaveAccessibleDescription(/\$500 of that is left/, {
      timeout: 20_000,
    })
    await expect(refusal).toBeHidden()
    await settle(more)
    await expect(spendField(page)).toHaveAccessibleDescription(/\$1,000 of that is left/, {
      timeout: 20_000,
    })
  })

  await test.step('once the buyer has paid, nothing is refused beside the deal', async () => {
    await pay.click()
    await expect(refusal).toHaveText(/\$1,000 of that is left/)
    await settle(unpaid)
    await expect(deal(page)).toBeVisible({ timeout: 20_000 })
    await expect(spendField(page)).toHaveValue('1500')
    await expect(refusal).toBeHidden()
  })
  await closeAndDropFaults(page, faults, /409/)
})
