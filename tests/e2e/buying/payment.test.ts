import { expect, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  dropBlocks,
  closeAndDropFaults,
  enterAsNewBuyer,
  mineBlocks,
  partOf,
  payByHttp,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ saleFile: buyingSaleFile() })

/** A change on the chain has to be on the screen within this time. */
const LIVE = { timeout: 2000 }
/** The same after a lost connection: the page has to connect again first. */
const BACK = { timeout: 6000 }

const situation = (page: Page) => transactionDialog(page).locator('[data-situation]')
const chip = (page: Page) => transactionDialog(page).locator('[data-tone]').first()
const qr = (page: Page) => transactionDialog(page).getByRole('img', { name: /QR code/ })

async function openPurchase(page: Page, address: string, name: string, tokenId = 'eth') {
  const { session } = await enterAsNewBuyer(page, address, name)
  const purchase = await buyByHttp(address, session, 100, tokenId)
  await page.goto(`/buy?id=${purchase.id}`)
  await expect(chip(page)).toHaveText('Pending')
  return { session, purchase, due: purchase.payment_amount ?? '' }
}

const readAgain = (
  address: string,
  { accessToken }: LoggedIn,
  { id }: Transaction,
): Promise<Transaction> =>
  callProduct(address, transactionsContract.getTransaction, { params: { id } }, accessToken)

test('an underpayment leaves the rest to be paid, with a new QR code', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session, purchase, due } = await openPurchase(page, address, 'Ute')
  await takePictures(page, 'dialog-pending', 'window')
  await expect(qr(page)).toHaveAttribute('width', '160')
  await expect(qr(page)).toHaveAttribute('data-qr-value', purchase.payment_uri ?? '')
  await expect(transactionDialog(page)).toContainText(
    'Send only ETH, and only on the Ethereum (ERC20) network',
  )

  await payByHttp(address, purchase, partOf(due, 25))
  await expect(situation(page)).toHaveAttribute('data-situation', 'rest', LIVE)
  const rest = await readAgain(address, session, purchase)
  expect(Number(rest.payment_amount)).toBeCloseTo(Number(due) * 0.75, 7)
  await expect(chip(page)).toHaveText('Pending')
  await expect(situation(page)).toContainText(`${rest.payment_amount} ETH is still to pay`)
  await expect(page.getByText(/^If the rest has not arrived by then/)).toBeVisible()
  const steps = page.getByRole('list', { name: 'Progress of the payment' }).getByRole('listitem')
  await expect(steps.first(), 'a part has been seen').toContainText('Waiting for the rest')
  await expect(page.getByText(/If nothing has arrived by then/)).toHaveCount(0)
  await expect(qr(page)).toHaveAttribute('data-qr-value', rest.payment_uri ?? '')
  const amount = transactionDialog(page).getByRole('button', { name: 'Copy Amount to Pay' })
  await expect(amount).toHaveAttribute('data-copy-value', rest.payment_amount ?? '')
  await expect(transactionDialog(page).locator('[data-arrived]')).toHaveText(
    `${partOf(due, 25).replace(/0+$/, '')} of ${due} ETH arrived`,
  )
  // A share is never shown as more than it is: one digit less than a quarter is 24.9%.
  await expect(transactionDialog(page)).toContainText(/2(5|4\.9)% arrived/)
  await expect(transactionDialog(page)).toContainText('≈ $75')
  await takePictures(page, 'dialog-underpaid', 'window')
  await expectAccessible(page, 'an underpaid purchase')

  await payByHttp(address, purchase, rest.payment_amount ?? '')
  await expect(chip(page)).toHaveText('Processing', LIVE)
  await expect(qr(page)).toBeHidden()
  await mineBlocks(address, 2)
  await expect(chip(page)).toHaveText('Completed', LIVE)
  await expect(situation(page)).toHaveText(/^10,000 PEAR are yours ?Paid in full and on time\.$/)
  await expect(situation(page).getByText('10,000', { exact: true })).toHaveCSS('font-size', '49px')
})

test('too much is turned into tokens, and the page shows it', async ({ page, product }) => {
  const { address } = product
  const { purchase, due } = await openPurchase(page, address, 'Olga')
  await payByHttp(address, purchase, partOf(due, 150))
  await mineBlocks(address, 2)
  await expect(chip(page)).toHaveText('Completed', LIVE)
  await expect(situation(page)).toHaveAttribute('data-situation', 'creditedMore')
  await expect(situation(page)).toContainText('You sent more than was due')
  await takePictures(page, 'dialog-overpaid', 'window')
})

for (const [what, hours] of [
  ['two hours ahead', 2],
  ['two hours behind', -2],
] as const) {
  test(`a clock that is ${what} neither ends the time to pay nor extends it`, async ({
    page,
    product,
  }) => {
    await page.clock.install({ time: Date.now() + hours * 3_600_000 })
    await openPurchase(page, product.address, 'Wim')
    const timer = transactionDialog(page).getByRole('timer', { name: 'Time left' })
    await expect(timer).toHaveText(/^(30:00|29:\d\d)$/)
    await expect(transactionDialog(page).getByText(/^Your price is held until/)).toBeVisible()
    await expect(transactionRows(page).first()).toContainText(/(30|29) min left/)
  })
}

test('each step of the payment is on the screen within two seconds', async ({ page, product }) => {
  const { address } = product
  const { purchase, due } = await openPurchase(page, address, 'Karl', 'matic')
  const step = (name: string) =>
    transactionDialog(page)
      .getByRole('list', { name: 'Progress of the payment' })
      .getByRole('listitem')
      .filter({ hasText: name })
  await expect(step('Waiting for your payment')).toHaveAttribute('data-state', 'current')
  await expect(step('Payment seen'), 'nothing has been seen').toHaveCount(0)
  await expect(step('Confirmed by the network')).toContainText('Needs 2 confirmations')
  await payByHttp(address, purchase, due)
  await expect(step('Payment seen')).toHaveAttribute('data-state', 'done', LIVE)
  await expect(chip(page)).toHaveText('Processing')
  await expect(step('Confirmed by the network')).toContainText(/[01] of 2 confirmations/)
  await takePictures(page, 'dialog-processing', 'window')
  await mineBlocks(address, 2)
  await expect(step('Tokens credited')).toHaveAttribute('data-state', 'done', LIVE)
  await expect(step('Confirmed by the network')).toContainText('2 of 2 confirmations')
  await expect(transactionRows(page).first()).toContainText('Completed')
  await takePictures(page, 'dialog-completed', 'window')
})

test('what the network takes back is shown, and counts again once it is back', async ({
  page,
  product,
}) => {
  const { address } = product
  const { purchase, due } = await openPurchase(page, address, 'Rita')
  await payByHttp(address, purchase, due)
  await mineBlocks(address, 2)
  await expect(chip(page)).toHaveText('Completed', LIVE)
  await dropBlocks(address, 20)
  await expect(situation(page)).toHaveAttribute('data-situation', 'dropped', LIVE)
  await expect(chip(page)).toHaveText('Pending')
  await expect(situation(page)).toContainText('the network dropped it')
  await takePictures(page, 'dialog-dropped', 'window')
  await payByHttp(address, purchase, due)
  await mineBlocks(address, 2)
  await expect(chip(page)).toHaveText('Completed', LIVE)
})

test('a page that was cut off catches up by itself, and goes on live', async ({
  page,
  context,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { purchase, due } = await openPurchase(page, address, 'Carla')
  await context.setOffline(true)
  await payByHttp(address, purchase, due)
  await context.setOffline(false)
  await expect(chip(page)).toHaveText(/Processing|Completed/, BACK)
  await expect(transactionRows(page).first()).toContainText(/Processing|Completed/)
  await mineBlocks(address, 2)
  await expect(chip(page)).toHaveText('Completed', LIVE)
  await closeAndDropFaults(page, faults, /ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ERR_FAILED/)
})

test('a link opens the dialog, and closing it stays on the page', async ({ page, product }) => {
  const { address } = product
  const { purchase } = await openPurchase(page, address, 'Linda')
  await page.keyboard.press('Escape')
  await expect(transactionDialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/buy$/)
  await transactionRows(page).first().getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`id=${purchase.id}`))
  await page.reload()
  await expect(chip(page)).toHaveText('Pending')
  await page.goBack()
  await expect(transactionDialog(page)).toBeHidden()
  await expect(page).toHaveURL(/\/buy$/)
})

test('a link to a missing purchase, or to another user’s, shows that there is none', async ({
  page,
  product,
  faults,
}) => {
  const { address } = product
  const stranger = await registerPerson(address, somebody('Stranger'))
  const theirs = await buyByHttp(address, stranger, 100)
  await enterAsNewBuyer(page, address, 'Nina')
  for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000', 'nonsense', '%20']) {
    await page.goto(`/buy?id=${id}`)
    await expect(transactionDialog(page)).toContainText('There is no such transaction')
    await expect(transactionDialog(page)).not.toContainText('ETH')
    if (id === theirs.id) await takePictures(page, 'dialog-not-found', 'window')
    await page.keyboard.press('Escape')
    await expect(transactionDialog(page)).toBeHidden()
  }
  await closeAndDropFaults(page, faults, /40[04]/)
})
