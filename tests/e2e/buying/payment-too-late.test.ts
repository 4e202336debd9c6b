import { expect, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  closeAndDropFaults,
  enterAsNewBuyer,
  mineBlocks,
  partOf,
  payByHttp,
  refusal,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import type { LoggedIn } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { testInTime as test } from '#tests/e2e/kit/test.ts'

const EXPIRE_AFTER_MINUTES = 9
const EXPIRE_AFTER_MS = EXPIRE_AFTER_MINUTES * 60_000

test.use({ saleFile: buyingSaleFile({ expireAfterMinutes: EXPIRE_AFTER_MINUTES }) })

test('when the time is up, each purchase shows what became of it', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Zita')
  const late = await buyByHttp(address, session, 103)
  const half = await buyByHttp(address, session, 102)
  const tooLittle = await buyByHttp(address, session, 101)
  const unpaid = await buyByHttp(address, session, 100)
  const due = ({ payment_amount: amount }: Transaction) => amount ?? ''
  await payByHttp(address, half, partOf(due(half), 50))
  await payByHttp(address, tooLittle, partOf(due(tooLittle), 2))
  await mineBlocks(address, 2)
  for (const { id } of [half, tooLittle]) await expectPaymentSeen(address, session, id)

  const dialog = transactionDialog(page)
  const chip = dialog.locator('[data-tone]').first()
  const situation = dialog.locator('[data-situation]')
  const expectFate = async (purchase: Transaction, fate: Fate) => {
    await page.goto(`/buy?id=${purchase.id}`)
    await expect(chip).toHaveText(fate.status)
    await expect(chip).toHaveAttribute('data-tone', fate.tone)
    await expect(situation).toHaveText(fate.sentence)
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeHidden()
    await takePictures(page, fate.picture, 'window')
  }

  await test.step('the open dialog counts down and then turns by itself', async () => {
    await page.clock.install()
    await page.goto(`/buy?id=${unpaid.id}`)
    await expect(dialog.getByRole('timer', { name: 'Time left' })).toHaveText(/^0\d:\d\d$/)
    await product.passTime(EXPIRE_AFTER_MS)
    await page.clock.fastForward(EXPIRE_AFTER_MS)
    await expect(chip).toHaveText('Expired')
    await expectNoPay(page)
  })
  await expectFate(unpaid, {
    status: 'Expired',
    tone: 'error',
    sentence: /^The time ran out before a payment arrived\. Nothing was taken\./,
    picture: 'dialog-expired',
  })
  await expect(dialog.getByRole('link', { name: 'Start a new purchase' })).toBeVisible()
  await expectAccessible(page, 'an expired purchase')
  await expectFate(tooLittle, {
    status: 'Failed',
    tone: 'error',
    sentence: /^Less than the minimum arrived in time\. [\d.]+ ETH is owed back to you/,
    picture: 'dialog-failed',
  })
  await expectFate(half, {
    status: 'Completed',
    tone: 'success',
    sentence: /^[\d,.]+ PEAR are yours ?For the [\d.]+ ETH that arrived in time\.$/,
    picture: 'dialog-credited-part',
  })

  await test.step('a payment after the time is not lost', async () => {
    await page.goto(`/buy?id=${late.id}`)
    await expect(chip).toHaveText('Expired')
    await payByHttp(address, late, due(late))
    await mineBlocks(address, 2)
    await expect(chip).toHaveText('Completed')
    await expect(situation).toContainText('Your payment came after the time was up')
    await takePictures(page, 'dialog-late', 'window')
  })

  await test.step('a new purchase begins with the amount of the old one', async () => {
    await page.goto(`/buy?id=${unpaid.id}`)
    await dialog.getByRole('link', { name: 'Start a new purchase' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('I want to spend')).toHaveValue('100')
    await takePictures(page, 'list-fates')
  })

  await test.step('none is offered once the sale is over', async () => {
    await page.route('**/api/v1/stages/active', (route) =>
      route.fulfill(refusal(410, 'SaleEnded', 'The token sale has ended')),
    )
    await page.goto(`/buy?id=${unpaid.id}`)
    await expect(chip).toHaveText('Expired')
    const ended = page.getByRole('heading', { name: 'Presale has Ended', includeHidden: true })
    await expect(ended).toBeAttached()
    await expect(dialog.getByRole('link', { name: 'Start a new purchase' })).toHaveCount(0)
    await closeAndDropFaults(page, faults, /410/)
  })
})

type Fate = { status: string; tone: string; sentence: RegExp; picture: string }

/** Time may pass only once the product has seen what came in time. */
async function expectPaymentSeen(
  address: string,
  { accessToken }: LoggedIn,
  id: string,
): Promise<void> {
  const look = () =>
    callProduct(address, transactionsContract.getTransaction, { params: { id } }, accessToken)
  await expect
    .poll(async () => {
      const { confirmations, required_confirmations: required } = await look()
      return confirmations >= required
    })
    .toBe(true)
}

/** Nothing more is requested, in the list or in the dialog. */
async function expectNoPay(page: Page): Promise<void> {
  await expect(transactionRows(page).first()).toContainText('Expired')
  await expect(
    transactionRows(page)
      .first()
      .getByRole('button', { name: 'Pay', exact: true, includeHidden: true }),
  ).toHaveCount(0)
}
