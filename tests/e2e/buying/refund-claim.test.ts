import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { expect as promptly, type Locator, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  buyByHttp,
  enterAsNewBuyer,
  mineBlocks,
  partOf,
  payByHttp,
  refusal,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { signInAsOperator } from '#tests/e2e/kit/console/operators.ts'
import { appCode, excuseStatus, toastOf, turnOnTwoFactor } from '#tests/e2e/kit/account.ts'
import { watchFaults } from '#tests/e2e/kit/faults.ts'
import type { LoggedIn } from '#tests/e2e/kit/people.ts'
import { tabTo, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { card } from '#tests/e2e/kit/sale-pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { testInTime as test } from '#tests/e2e/kit/test.ts'

/** Two browsers and a server may share one processor. */
const expect = promptly.configure({ timeout: 20_000 })

/** A sale that accepts at most $2,000 a purchase, with an ether at $2,500. */
const REFUND_SALE_FILE = buyingSaleFile({ tokenPrice: '0.5', maxUsd: '2000' })
/** What more than this is sent back takes two people; the tests' refunds are worth some $100. */
const TAKES_TWO = 'approvals: { refund_over_usd: 50 }\n'

test.use({ saleFile: `${REFUND_SALE_FILE}${TAKES_TWO}` })

const CHECKS = '**/api/v1/refunds/address'
const TWO_FACTOR = '**/api/v1/auth/two-factor'
const DAY_MS = 24 * 60 * 60_000

test('a claim is made and cancelled by keyboard alone, and made again', async ({
  page,
  product,
  faults,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { person, session } = await enterAsNewBuyer(page, address, 'Kay')
  const purchase = await overpay(address, session, 2100)
  await page.goto(`/buy?id=${purchase.id}`)
  const refund = refundPart(page)
  const dialog = claimDialog(page)
  await tabTo(page, refund.getByRole('button', { name: 'Get your money back' }))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('Your ETH address'))
  const arrives = dialog.locator('data')
  // Not cut, so that it is what is owed less the fee, to the last digit.
  await expect(arrives).toContainText((await arrives.getAttribute('value')) ?? '')
  await page.keyboard.type('sandbox-kay')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Check it once more' })).toBeFocused()
  await tabTo(page, dialog.getByLabel('Your password'))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('heading', { name: 'We have received your claim' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(refund).toContainText('Waiting for approval')

  await tabTo(page, refund.getByRole('button', { name: 'Cancel the claim' }))
  await page.keyboard.press('Enter')
  await tabTo(page, refund.getByRole('button', { name: 'Keep it' }))
  await page.keyboard.press('Enter')
  await expect(refund.getByRole('button', { name: 'Cancel the claim' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(refund.getByRole('button', { name: 'Yes, cancel it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(refund).toContainText(/You cancelled your claim on/)
  await expectFocusKept(page)
  await expectAccessible(page, 'a cancelled claim')
  await takePictures(page, 'claim-cancelled', 'window')
  await claimRefund(page, 'sandbox-kay-2', person.password)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(refund).toContainText('sandbox-kay-2')

  await test.step('until it can no longer be cancelled, the account cannot be deleted', async () => {
    await page.goto('/account')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const erasing = page.getByRole('dialog', { name: 'Delete my account' })
    await erasing.getByLabel('Type DELETE to confirm').fill('DELETE')
    await erasing.getByLabel('Your password').fill(person.password)
    await page.keyboard.press('Enter')
    await expect(
      toastOf(
        page,
        'A refund claim can still be cancelled. Try again once it is cancelled, or in 24 hours',
      ),
    ).toBeVisible()
    excuseStatus(faults, 409)
  })

  await test.step('on a device whose clock is wrong the time to cancel is the server’s', async () => {
    await page.clock.install({ time: Date.now() + 2 * DAY_MS })
    await page.goto(`/buy?id=${purchase.id}`)
    await expect(refund.getByRole('timer', { name: 'Time left to cancel' })).toHaveText(
      /^23:5\d:\d\d$/,
    )
    await expect(refund).toContainText('A person will check it, no earlier than')
  })
})

test('a rejected claim says why, and what is too little says from when on', async ({
  browser,
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const { address } = product
  const { person, session } = await enterAsNewBuyer(page, address, 'Rae')
  const purchase = await overpay(address, session, 2100)
  await page.goto(`/buy?id=${purchase.id}`)
  await claimRefund(page, 'sandbox-rae', person.password)
  await claimDialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(refundPart(page)).toContainText('Waiting for approval')

  const context = await browser.newContext()
  const consoleFaults = watchFaults(context, address)
  const olga = await context.newPage()
  await signInAsOperator(olga, product, 'owner')
  await olga.goto(`${address}/operator/refunds/claims`)
  await olga.getByRole('link', { name: person.email }).click()
  await olga.getByRole('button', { name: 'Reject' }).click()
  const asks = olga.getByRole('dialog')
  await asks.getByLabel('Reason').fill('This wallet is closed. Give another one')
  await expectAccessible(olga, 'rejecting a claim')
  await asks.getByRole('button', { name: 'Reject' }).click()
  await expect(olga.getByText('Rejected', { exact: true }).first()).toBeVisible()
  const refund = refundPart(page)
  await expect(refund).toContainText('This wallet is closed. Give another one')
  await expect(refund.getByRole('button', { name: 'Get your money back' })).toBeVisible()
  await takePictures(page, 'claim-rejected', 'window')
  await expectAccessible(page, 'a rejected claim')
  expect(consoleFaults, 'errors of the console').toEqual([])

  await test.step('below the minimum a sentence stands in place of the button', async () => {
    const { session: second } = await enterAsNewBuyer(page, address, 'Tim')
    const small = await overpay(address, second, 2000.15)
    await page.goto(`/buy?id=${small.id}`)
    await expect(refund).toContainText(/is too little to send yet/)
    await expect(refund).toContainText('You can claim it once it is 0.00008 ETH or more.')
    await expect(refund.getByRole('button')).toHaveCount(0)
    await takePictures(page, 'claim-too-small', 'window')
    await expectAccessible(page, 'a refund that is too small')
  })
})

test('an address that is changed while it is checked does not give way to the old one', async ({
  page,
  product,
}) => {
  const { address } = product
  const { session } = await enterAsNewBuyer(page, address, 'Una')
  const purchase = await overpay(address, session, 2100)
  await page.goto(`/buy?id=${purchase.id}`)
  await refundPart(page).getByRole('button', { name: 'Get your money back' }).click()
  const dialog = claimDialog(page)
  const field = dialog.getByLabel('Your ETH address')
  const answered = Promise.withResolvers<void>()
  await page.route(CHECKS, async (route) => {
    await answered.promise
    await route.continue()
  })
  const asked = page.waitForRequest(CHECKS)
  await field.fill('sandbox-una-old')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await asked
  await field.fill('sandbox-una-new')
  answered.resolve()
  await expect(dialog).toContainText('It ends in new.')
  await expect(dialog).toContainText('Step 1 of 2')
  await expect(field).toHaveValue('sandbox-una-new')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('heading', { name: 'Check it once more' })).toBeFocused()
  await expect(dialog).toContainText('sandbox-una-new')
})

test('a claim asks for the code, even if the page could not learn that it needs one', async ({
  page,
  product,
  faults,
}) => {
  const { address } = product
  const { person, session } = await enterAsNewBuyer(page, address, 'Cody')
  const secret = await turnOnTwoFactor(address, session, person)
  const purchase = await overpay(address, session, 2100)
  await page.route(TWO_FACTOR, (route) => route.fulfill(refusal(400, 'InvalidInput', 'No')))
  await page.goto(`/buy?id=${purchase.id}`)
  await refundPart(page).getByRole('button', { name: 'Get your money back' }).click()
  const dialog = claimDialog(page)
  await dialog.getByLabel('Your ETH address').fill('sandbox-cody')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Authentication code')).toBeFocused()
  await page.keyboard.type(appCode(secret))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('heading', { name: 'We have received your claim' })).toBeVisible()
  excuseStatus(faults, 400)
})

// This comes last, since it moves the product a day ahead.
test('what is owed back is claimed, approved, sent in a batch and confirmed', async ({
  browser,
  page,
  product,
  faults,
}) => {
  test.setTimeout(300_000)
  const { address } = product
  const { person, session } = await enterAsNewBuyer(page, address, 'Bea')
  const purchase = await overpay(address, session, 2100)
  const refund = refundPart(page)
  const dialog = claimDialog(page)

  await test.step('the buyer is led to it, and an address is checked as it is written', async () => {
    await page.goto(`/buy?id=${purchase.id}`)
    await expect(refund).toContainText(/Refund of 0\.0[34]\d+ ETH due/)
    await refund.getByRole('button', { name: 'Get your money back' }).click()
    await expect(dialog.getByRole('heading', { name: 'What you get, and where' })).toBeFocused()
    await expect(dialog).toContainText('Step 1 of 2')
    await expect(dialog).toContainText(/Network fee\s*− 0\.00004 ETH/)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toContainText('Paste the address of your wallet')
    const field = dialog.getByLabel('Your ETH address on Ethereum (ERC20)')
    await expect(field).toBeFocused()
    await field.fill('1BoatSLRHtKNngkdXEeobR76b53LETtpyT')
    await expect(dialog).toContainText('In this sandbox an address begins with sandbox-')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toContainText('Step 1 of 2')
    await field.fill(purchase.payment_address ?? '')
    await expect(dialog).toContainText('This address belongs to this sale')
    await takePictures(page, 'claim-wrong-address', 'window')
    await field.fill('sandbox-beas-wallet')
    await expect(dialog).toContainText('It ends in llet. Compare this with your wallet.')
    await expectAccessible(page, 'a right address')
    await takePictures(page, 'claim-address', 'window')
    excuseStatus(faults, 400)
  })

  await test.step('it takes the password', async () => {
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByRole('heading', { name: 'Check it once more' })).toBeFocused()
    await dialog.getByLabel('Your password').fill('not this one 1')
    await dialog.getByRole('button', { name: /^Claim 0\.0\d+ ETH$/ }).click()
    await expect(dialog).toContainText('The current password is incorrect')
    await takePictures(page, 'claim-confirm', 'window')
    await expectAccessible(page, 'a claim to be confirmed')
    excuseStatus(faults, 400)
    await dialog.getByLabel('Your password').fill(person.password)
    await dialog.getByRole('button', { name: /^Claim / }).click()
    await expect(dialog.getByRole('heading', { name: 'We have received your claim' })).toBeFocused()
    await expect(dialog.getByRole('timer', { name: 'Time left to cancel' })).toHaveText(
      /^23:59:\d\d$/,
    )
    await takePictures(page, 'claim-made', 'window')
    await expectAccessible(page, 'a claim that was made')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(refund).toContainText('Waiting for approval')
    await expect(transactionDialog(page)).toContainText('Refund under way')
    await expect(transactionRows(page).first()).toContainText('refund under way')
    await expectFocusKept(page)
    await takePictures(page, 'claim-claimed', 'window')
    await expectAccessible(page, 'a claim under way')
  })

  const context = await browser.newContext()
  const consoleFaults = watchFaults(context, address)
  const finn = await context.newPage()
  await test.step('nobody approves it on the same day', async () => {
    await signInAsOperator(finn, product, 'finance', 'Finn Finance')
    await finn.goto(`${address}/operator/refunds/claims`)
    await finn.getByRole('link', { name: person.email }).click()
    await expect(finn.getByRole('button', { name: 'Reject' })).toBeVisible()
    await expect(finn.getByText('The buyer can cancel it until')).toBeVisible()
    await expect(finn.getByRole('button', { name: 'Approve' })).toHaveCount(0)
    // Nor is it paid by hand: the money would be sent twice.
    await finn.goto(`${address}/operator/purchases/${purchase.id}`)
    await expect(card(finn, 'Refunds')).toContainText('In a claim')
    await expect(finn.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0)
    await expectAccessible(finn, 'a purchase whose refund is claimed')
    await finn.getByRole('link', { name: 'Look at the claim' }).click()
    await expect(finn.getByRole('button', { name: 'Reject' })).toBeVisible()
  })

  const aheadMs = DAY_MS + 60_000
  const fransContext = await browser.newContext()
  const fransFaults = watchFaults(fransContext, address)
  const fran = await fransContext.newPage()
  const approveAsFran = async (summary: RegExp) => {
    await fran.goto(`${address}/operator/approvals`)
    await fran.getByRole('link', { name: summary }).click()
    await fran.getByRole('button', { name: 'Approve' }).click()
    await fran.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(fran.getByText('Done', { exact: true })).toBeVisible()
  }
  await test.step('on the next day two people of finance approve it, and make a batch', async () => {
    await product.passTime(aheadMs)
    await fran.clock.install({ time: Date.now() + aheadMs })
    await signInAsOperator(fran, product, 'finance', 'Fran Finance', aheadMs)
    await context.clearCookies()
    await finn.clock.install({ time: Date.now() + aheadMs })
    await signInAsOperator(finn, product, 'finance', 'Fay Finance', aheadMs)
    await finn.goto(`${address}/operator/refunds/claims`)
    await expect(finn.getByRole('link', { name: person.email })).toBeVisible()
    await expectAccessible(finn, 'claims')
    await takePictures(finn, 'console-claims')
    await finn.getByRole('link', { name: person.email }).click()
    await expect(finn.getByRole('button', { name: 'Approve' })).toBeVisible()
    await expectAccessible(finn, 'a claim')
    await takePictures(finn, 'console-claim')
    await finn.getByRole('button', { name: 'Approve' }).click()
    const asks = finn.getByRole('dialog', { name: 'Approve this claim?' })
    await expect(asks).toContainText('sandbox-')
    await expectAccessible(finn, 'approving a claim')
    await asks.getByRole('button', { name: 'Approve' }).click()
    await expect(finn.getByText('Waits for a second person')).toBeVisible()
    const sent = card(finn, 'To be sent')
    await expect(sent).toContainText('Fay Finance asked to approve it')
    await expect(sent).toContainText(/It takes another person who may approve and reject/)
    await expect(sent.getByRole('link', { name: 'It waits under Approvals' })).toBeVisible()
    // Whoever approved here too would only ask for the same once more.
    await expect(sent.getByRole('button', { name: 'Approve' })).toHaveCount(0)
    await expectAccessible(finn, 'a claim whose approval waits')
    await takePictures(finn, 'console-claim-waits')
    await approveAsFran(/^Approve a claim/)
    await expect(finn.getByText('To send', { exact: true })).toBeVisible()
    await expect(refund).toContainText('To be added to a payment')

    await finn.getByRole('link', { name: 'All claims' }).click()
    await finn.getByRole('link', { name: 'Batches' }).click()
    await finn.getByRole('button', { name: /^Make a batch/ }).click()
    await expectAccessible(finn, 'making a batch')
    await finn.getByRole('dialog').getByRole('button', { name: 'Make the batch' }).click()
    await expect(finn.getByText('A second person has to approve this.')).toBeVisible()
    // Whoever made a batch here too would only ask for the same once more.
    const toSend = finn.getByRole('table', { name: 'Approved claims by network' })
    await expect(toSend.getByRole('link', { name: 'Look at the request' })).toBeVisible()
    await expect(toSend.getByRole('button')).toHaveCount(0)
    await takePictures(finn, 'console-batch-waits')
    await finn.getByRole('link', { name: 'Claims', exact: true }).click()
    await finn.getByText('To send 1').click()
    await expect(finn.getByRole('table', { name: 'Claims' })).toContainText(
      'Waits for a second person',
    )
    await finn.getByRole('link', { name: person.email }).click()
    await expect(sent).toContainText('Fay Finance asked to send it in a batch')
    await finn.getByRole('link', { name: 'All claims' }).click()
    await finn.getByRole('link', { name: 'Batches' }).click()
    await approveAsFran(/^Send one claimed refund on/)
    await finn.getByRole('link', { name: /^Batch \d+$/ }).click()
    await expect(finn.getByRole('heading', { level: 1, name: /^Batch \d+$/ })).toBeVisible()
    await expect(refund).toContainText('Payments are signed by hand')
    await takePictures(page, 'claim-batched', 'window')
  })

  let pays = ''
  await test.step('its file is what its hash says, and names address and amount', async () => {
    const saved = finn.waitForEvent('download')
    await finn.getByRole('button', { name: /^Download/ }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    await expect(card(finn, 'Files for your wallet')).toContainText(sha256)
    expect(text).toContain('sandbox-beas-wallet')
    pays = /0\.0\d+/.exec(text)?.[0] ?? ''
    await expectAccessible(finn, 'a batch')
    await takePictures(finn, 'console-batch')
  })

  await test.step('a transaction that is named by mistake is said to pay nothing', async () => {
    await finn.getByRole('button', { name: 'Name the transaction' }).click()
    const asks = finn.getByRole('dialog')
    await asks.getByLabel('Hash of the transaction').fill('sandbox-another')
    await expectAccessible(finn, 'naming a transaction')
    await asks.getByRole('button', { name: 'Name it' }).click()
    await expect(card(finn, 'To be sent')).toContainText('No payment of this batch was found in it')
    await expectAccessible(finn, 'a batch with a transaction that pays nothing')
    await takePictures(finn, 'console-batch-named')
  })

  await test.step('what the wallet sends is found, and confirmed', async () => {
    await payByHttp(address, { ...purchase, payment_address: 'sandbox-beas-wallet' }, pays)
    // Both at once, as the sandbox goes on mining by itself.
    await Promise.all([
      expect(refund).toContainText('To be confirmed by the network'),
      expect(finn.getByText('1 of 1').first()).toBeVisible(),
    ])
    await takePictures(page, 'claim-sent', 'window')
    await expectAccessible(page, 'a refund that was sent')
    await mineBlocks(address, 3)
    await expect(refund).toContainText('arrived at this address; the network fee was 0.00004 ETH')
    await expect(refund).not.toContainText('ETH due')
    await expect(transactionRows(page).first()).toContainText('refunded')
    await expect(finn.getByText('Paid', { exact: true }).first()).toBeVisible()
    await expect(finn.getByText('It pays nothing of this batch')).toBeVisible()
    await takePictures(page, 'claim-confirmed', 'window')
    await takePictures(finn, 'console-batch-paid')
  })
  // A day later the buyer's page asks for a new access token.
  excuseStatus(faults, 401)
  excuseStatus(consoleFaults, 401)
  expect([...consoleFaults, ...fransFaults], 'errors of the console').toEqual([])
})

async function expectFocusKept(page: Page): Promise<void> {
  const isLost = () => page.evaluate(() => document.activeElement === document.body)
  await expect.poll(isLost, { message: 'the focus is lost' }).toBe(false)
}

/** Pays `paidUsd` for a purchase of $1,500: the part above $2,000 is owed back. */
async function overpay(address: string, buyer: LoggedIn, paidUsd: number): Promise<Transaction> {
  const purchase = await buyByHttp(address, buyer, 1500)
  await payByHttp(address, purchase, partOf(purchase.payment_amount ?? '', paidUsd / 15))
  await mineBlocks(address, 3)
  const look = () =>
    callProduct(
      address,
      transactionsContract.getTransaction,
      { params: { id: purchase.id } },
      buyer.accessToken,
    )
  await expect.poll(async () => (await look()).refunds.length).toBe(1)
  return await look()
}

/** The part of a transaction's dialog about money back. */
const refundPart = (page: Page): Locator =>
  transactionDialog(page).getByRole('region', { name: 'Refund' })

/** The dialog in which money is claimed. */
const claimDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Get your money back' })

/** From the dialog of the transaction to the claim that was made. */
async function claimRefund(page: Page, to: string, password: string): Promise<void> {
  await refundPart(page).getByRole('button', { name: 'Get your money back' }).click()
  const dialog = claimDialog(page)
  await dialog.getByLabel('Your ETH address').fill(to)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: /^Claim / }).click()
  await expect(dialog.getByRole('heading', { name: 'We have received your claim' })).toBeVisible()
}
