import { expect, type Locator, type Page } from '@playwright/test'

import { authContract } from '#contract/auth.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  closeAndDropFaults,
  dropBlocks,
  dropFaults,
  enterAsNewBuyer,
  holdBack,
  keepSilent,
  mineBlocks,
  payByHttp,
  refusal,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { tabTo, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({
  saleFile: buyingSaleFile({ bonuses: '{ referrals: { earn: 25, spend: 50 } }' }),
})

const LIST = '**/api/v1/users/*/transactions?*'

const turner = (page: Page, name: 'Previous page' | 'Next page'): Locator =>
  page.getByRole('navigation', { name: 'Pages of transactions' }).getByRole('button', { name })

/** The dollars of each row, which identify the purchases of these tests. */
async function expectAmounts(page: Page, amounts: readonly number[]): Promise<void> {
  await expect(transactionRows(page)).toHaveText(
    amounts.map((amount) => new RegExp(String.raw`\$${amount}\D`)),
  )
}

test('five rows are drawn while the list is on its way, and then that it is empty', async ({
  page,
  product,
}) => {
  await enterAsNewBuyer(page, product.address, 'Sven')
  const { held } = await holdBack(page, LIST)
  await page.goto('/buy')
  await expect(transactionRows(page)).toHaveCount(5)
  await expect(
    page.locator('[aria-busy="true"]').filter({ has: page.getByRole('listitem') }),
  ).toHaveCount(1)
  await takePictures(page, 'list-loading')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await page.unroute(LIST)
  await expect(page.getByText('No transactions', { exact: true })).toBeVisible()
  await takePictures(page, 'list-empty')
})

test('a list that cannot be loaded shows it, and is fetched again', async ({
  page,
  product,
  faults,
}) => {
  await enterAsNewBuyer(page, product.address, 'Fred')
  // The event stream refetches the list when it opens, which would do what the button is for.
  await keepSilent(page)
  await page.route(LIST, (route) => route.fulfill(refusal(400, 'InvalidInput', 'No')))
  await page.goto('/buy')
  await expect(page.getByText('Error getting transactions')).toBeVisible()
  await page.unroute(LIST)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No transactions', { exact: true })).toBeVisible()
  await closeAndDropFaults(page, faults, /400/)
})

test('the list is turned in both directions, five a page, and stays where it is', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Tina')
  const purchases: Transaction[] = []
  for (let usd = 101; usd <= 111; usd += 1) purchases.push(await buyByHttp(address, session, usd))
  await page.goto('/buy')
  await expectAmounts(page, [111, 110, 109, 108, 107])
  await expect(turner(page, 'Previous page')).toBeDisabled()

  await test.step('to the end, with the keyboard, which keeps its place', async () => {
    await tabTo(page, turner(page, 'Next page'))
    await page.keyboard.press('Enter')
    await expectAmounts(page, [106, 105, 104, 103, 102])
    await expect(turner(page, 'Next page')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectAmounts(page, [101])
    await expect(turner(page, 'Next page')).toBeDisabled()
    await expect(turner(page, 'Next page')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectAmounts(page, [101])
  })

  await test.step('and back', async () => {
    await turner(page, 'Previous page').click()
    await expectAmounts(page, [106, 105, 104, 103, 102])
    await expect(turner(page, 'Next page')).toBeEnabled()
  })

  await test.step('a page that cannot be loaded leaves this one, with an error', async () => {
    await page.route(LIST, (route) => route.fulfill(refusal(400, 'InvalidInput', 'No')))
    await turner(page, 'Previous page').click()
    await expect(page.getByText('Error getting transactions')).toBeVisible()
    await expectAmounts(page, [106, 105, 104, 103, 102])
    await page.unroute(LIST)
    dropFaults(faults, /400/)
  })

  await test.step('what happens live changes rows in their place', async () => {
    const paid = purchases[3]
    if (paid === undefined) throw new Error('There are eleven purchases.')
    await payByHttp(address, paid, paid.payment_amount ?? '')
    await mineBlocks(address, 2)
    await expect(transactionRows(page).nth(2)).toContainText('Completed')
    await expect(transactionRows(page).nth(2).locator('[data-tone]')).toHaveAttribute(
      'data-tone',
      'success',
    )
    await buyByHttp(address, session, 112)
    await turner(page, 'Previous page').click()
    await expect(transactionRows(page).first()).toContainText('$111')
    await turner(page, 'Previous page').click()
    await expectAmounts(page, [112, 111, 110, 109, 108])
    await expect(turner(page, 'Previous page')).toBeDisabled()
  })

  await test.step('the first page replaces one whose last purchase left the filter', async () => {
    const [oldest] = purchases
    if (oldest === undefined) throw new Error('There are eleven purchases.')
    await page.getByRole('radiogroup', { name: 'Show' }).getByText('Open', { exact: true }).click()
    await turner(page, 'Next page').click()
    await expectAmounts(page, [107, 106, 105, 103, 102])
    await turner(page, 'Next page').click()
    await expectAmounts(page, [101])
    await payByHttp(address, oldest, oldest.payment_amount ?? '')
    await mineBlocks(address, 2)
    await expectAmounts(page, [112, 111, 110, 109, 108])
    await expect(turner(page, 'Next page')).toBeEnabled()
  })
})

test('a second press, while a purchase opens, is no second step back', async ({
  page,
  product,
}) => {
  const { session } = await enterAsNewBuyer(page, product.address, 'Dora')
  await buyByHttp(product.address, session, 100)
  const fetched = Promise.withResolvers<void>()
  await page.route(/assets\/dialog-panel-/, async (route) => {
    await fetched.promise
    await route.continue()
  })
  await page.goto('/buy')
  const pay = transactionRows(page).first().getByRole('button', { name: 'Pay', exact: true })
  await pay.click()
  await pay.click()
  fetched.resolve()
  await transactionDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).not.toHaveURL(/id=/)
  await expect(transactionDialog(page)).toBeHidden()
})

test('each row shows what was paid, what it gives and its status', async ({ page, product }) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Zoe')
  await page.goto('/buy')
  await expect(page.getByText('No transactions', { exact: true })).toBeVisible()
  const rows = transactionRows(page)

  const purchase = await buyByHttp(address, session, 100, 'btc')
  await test.step('pending: what is to be paid, and the way to do it', async () => {
    await expect(rows.first()).toContainText(`${purchase.payment_amount?.slice(0, 6)}`)
    await expect(rows.first()).toContainText('BTC')
    await expect(rows.first()).toContainText('10,000 PEAR')
    await expect(rows.first().getByText('$100', { exact: true })).toHaveCount(2)
    await expect(rows.first().locator('img')).toHaveAttribute('src', /btc/)
    await expect(rows.first().locator('[data-tone]')).toHaveText('Pending')
    await expect(rows.first().locator('[data-tone]')).toHaveAttribute('data-tone', 'warning')
    await expect(rows.first().getByRole('button', { name: 'Pay', exact: true })).toBeVisible()
  })

  await test.step('processing: nothing is to be paid any more', async () => {
    await payByHttp(address, purchase, purchase.payment_amount ?? '')
    // In one look: a moment later it is completed, and has no such button anyway.
    await expect(rows.first()).toContainText(/Processing\s*[012] of 2 confirmations\s*Details/)
    await expect(rows.first().locator('[data-tone]')).toHaveAttribute('data-tone', 'info')
  })

  await test.step('a reward: what it is, in a chip, and nothing to pay', async () => {
    const referred_by = session.user.id
    const { data: friend } = await callProduct(address, authContract.register, {
      body: { ...somebody('Friend'), referrals: { referred_by } },
    })
    const accessToken = friend.tokens.access.token
    const theirs = await buyByHttp(address, { user: friend.user, accessToken }, 60)
    await payByHttp(address, theirs, theirs.payment_amount ?? '')
    await mineBlocks(address, 2)
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('Referral')
    await expect(rows.first()).toContainText('2,500 PEAR')
    await expect(rows.first()).toContainText('$25')
    await expect(rows.first()).toContainText('Completed')
    await expect(rows.first().getByRole('button')).toHaveCount(0)
    await expect(rows.nth(1)).toContainText('Completed')
  })
  await takePictures(page, 'list-rows')
  await expectAccessible(page, 'transactions with a reward')

  await test.step('a reward that was taken back: why, in its dialog', async () => {
    await dropBlocks(address, 20)
    await expect(rows.first()).toContainText('Failed')
    const { data } = await callProduct(
      address,
      usersContract.listTransactions,
      { params: { id: session.user.id }, query: {} },
      session.accessToken,
    )
    await page.goto(`/buy?id=${data.find(({ type }) => type === 'referral')?.id}`)
    await expect(transactionDialog(page)).toContainText('This reward was taken back')
    await expect(transactionDialog(page)).not.toContainText(/Thank you|What you get|2,500/)
  })
})
