import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { toastOf } from '#tests/e2e/kit/account.ts'
import { expectMails, expectReward } from '#tests/e2e/kit/aftermath.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { SPENT_USD, tokensFor, wire, written } from '#tests/e2e/kit/deal.ts'
import {
  buyForm,
  chooseByKeyboard,
  copyPayment,
  logIn,
  openFromSidebar,
  transactionDialog,
  transactionRows,
} from '#tests/e2e/kit/pages.ts'
import {
  type LoggedIn,
  logInPerson,
  type Person,
  registerPerson,
  somebody,
} from '#tests/e2e/kit/people.ts'
import {
  expectBonusesToAddUp,
  expectDealInOneSentence,
  expectPaymentShown,
} from '#tests/e2e/kit/purchase-shown.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

test.use({ untouched: true })

/** A change on the chain has to be on the screen within this time. */
const LIVE_MS = 2000

test('a visitor registers, buys, pays, gets the tokens and finds them again', async ({
  page,
  context,
  product,
}) => {
  test.setTimeout(180_000)
  const { address } = product
  const buyer = somebody('Berta')
  const referrer = await registerPerson(address, somebody('Rita'))
  const stage = await callProduct(address, saleContract.getActiveStage, {})
  // At the opening price every amount is a round number, which pages write without rounding.
  expect(stage.sold_tokens, 'nobody has bought from this product before').toBe(0)
  const tokens = tokensFor(stage)

  await test.step('the visitor registers through a referral link', async () => {
    await page.goto(`/register?referral=${referrer.user.id}`)
    await fillRegistration(page, buyer)
    await takePictures(page, '01-register')
    const historyLength = await page.evaluate(() => history.length)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL((url) => url.pathname === '/buy')
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      usd_amount: String(SPENT_USD),
      token_id: 'matic',
    })
    expect(await page.evaluate(() => history.length)).toBe(historyLength)
    await expect(toastOf(page, 'Successfully registered')).toBeVisible()
  })
  const session = await logInPerson(address, buyer)

  await test.step('the account is what was typed', () => {
    expect(session.user).toMatchObject({
      first_name: buyer.first_name,
      last_name: buyer.last_name,
      email: buyer.email,
      nationality: 'DE',
      mobile: '+61 412345678',
      is_email_verified: false,
      tokens: { base: 0, bonuses: 0, total: 0 },
      paid_amount_fiat: 0,
      language: 'en',
    })
  })

  await test.step('the buy page shows the quote, the bonuses and the deal', async () => {
    await expect(page.getByLabel('I want to spend')).toHaveValue(String(SPENT_USD))
    await expect(page.getByText(/Quote updates in \d+s/)).toBeVisible()
    await expectBonusesToAddUp(page, tokens)
    await expectDealInOneSentence(page, tokens, address)
    await takePictures(page, '02-buy')
  })
  // Lost if the page loads again, so that what follows is proved to happen live.
  await page.evaluate(() => Object.assign(window, { isStillTheSamePage: true }))

  await test.step('Pay opens the dialog with what is to be paid', async () => {
    await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(transactionDialog(page)).toBeVisible()
    await expect(toastOf(page, 'Successfully created transaction')).toBeVisible()
    await expect(transactionDialog(page).getByText('Pending', { exact: true })).toBeVisible()
    await expect(transactionRows(page).first()).toContainText('Pending')
  })
  const newest = () => newestTransaction(address, session)
  const purchase = await newest()

  await test.step('the dialog shows the purchase', async () => {
    expect(purchase).toMatchObject({
      type: 'purchase',
      status: 'pending',
      initial_purchase_amount_fiat: SPENT_USD,
      token_price: stage.token_price,
      tokens: { base: wire(tokens.base), total: wire(tokens.total) },
    })
    await expectPaymentShown(page, purchase)
    await takePictures(page, '03-dialog-pending', 'window')
  })

  const payment = await test.step('the payer copies address and amount', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = await copyPayment(page)
    expect(copied).toEqual({
      address: purchase.payment_address,
      amount: purchase.payment_amount,
    })
    return copied
  })

  const wallet = await test.step('the payer opens the sandbox in a second tab', () =>
    openWallet(context, payment))
  await takePictures(wallet, '04-sandbox')

  await test.step('paid: row and dialog turn to processing by themselves', async () => {
    await act(wallet, 'Send all', '/sandbox/payments')
    await expectLiveStatus(page, 'Processing')
    await takePictures(page, '05-dialog-processing', 'window')
  })

  await test.step('confirmed: row and dialog turn to completed by themselves', async () => {
    await act(wallet, 'Mine a block', '/sandbox/blocks')
    await act(wallet, 'Mine a block', '/sandbox/blocks')
    await expectLiveStatus(page, 'Completed')
    await takePictures(page, '06-dialog-completed', 'window')
    expect(await page.evaluate(() => 'isStillTheSamePage' in window)).toBe(true)
    expect(await newest()).toMatchObject({
      id: purchase.id,
      status: 'completed',
      actual_purchase_amount_fiat: SPENT_USD,
      payment_amount: '0',
      tokens: { base: wire(tokens.base), total: wire(tokens.total) },
      receipts: [{ amount: payment.amount }],
    })
    await page.keyboard.press('Escape')
    await expect(transactionDialog(page)).toBeHidden()
    await takePictures(page, '07-buy-completed')
  })

  await test.step('the dashboard shows the tokens', async () => {
    await openFromSidebar(page, 'Dashboard')
    await expectBalance(page, tokens.total)
    await takePictures(page, '08-dashboard')
    expect(await page.evaluate(() => 'isStillTheSamePage' in window)).toBe(true)
    const user = await callProduct(
      address,
      usersContract.getUser,
      { params: { id: session.user.id } },
      session.accessToken,
    )
    expect(user.tokens).toEqual({
      base: wire(tokens.base),
      bonuses: wire(tokens.total - tokens.base),
      total: wire(tokens.total),
    })
  })

  await test.step('after logging out the pages of the account are closed', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL((url) => url.pathname === '/login')
    await page.goto('/terms')
    await page.goto('/account')
    await page.waitForURL((url) => url.pathname === '/login')
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/terms')
    await page.goto('/')
    await page.waitForURL((url) => url.pathname === '/login')
  })

  await test.step('after logging in again the tokens are still there', async () => {
    await logIn(page, buyer.email, buyer.password)
    await expect(toastOf(page, 'Successfully logged in')).toBeVisible()
    await page.waitForURL((url) => url.pathname === '/')
    await expectBalance(page, tokens.total)
  })

  await test.step('the mailbox has a mail for each step', async () => {
    await expectMails(address, buyer, purchase)
  })

  await test.step('the referrer has earned the reward', async () => {
    await expectReward(address, referrer, stage)
  })
})

async function fillRegistration(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name').fill(person.first_name)
  await page.getByLabel('Last name').fill(person.last_name)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await expect(page.getByRole('button', { name: 'Country code' })).toContainText('+44')
  await chooseByKeyboard(page, 'Country code', 'austral', /Australia.*\+61/)
  await page.getByLabel('Phone number').fill('412345678')
  await chooseByKeyboard(page, 'Nationality', 'germany', /Germany/)

  await page.getByRole('button', { name: 'Payment currency' }).click()
  const picker = page.getByRole('dialog')
  await picker.getByRole('searchbox').fill('polygon')
  await expect(picker.getByRole('option')).toHaveText([/Polygon.*\+5%/])
  await picker.getByRole('option', { name: /Polygon/ }).click()
  await expect(page.getByRole('button', { name: 'Payment currency' })).toContainText('MATIC')

  await expect(page.getByLabel('Purchase amount')).toHaveValue('0')
  await page.getByRole('button', { name: /^\$1,000/ }).click()
  await expect(page.getByLabel('Purchase amount')).toHaveValue(String(SPENT_USD))
  await page.getByRole('checkbox', { name: /I agree to the Terms and Conditions/ }).check()
}

async function openWallet(
  context: BrowserContext,
  payment: { address: string; amount: string },
): Promise<Page> {
  const wallet = await context.newPage()
  await wallet.goto('/sandbox')
  await wallet.getByLabel('Address', { exact: true }).fill(payment.address)
  await wallet.getByLabel(/^Amount/).fill(payment.amount)
  return wallet
}

/** Presses a button of the sandbox and waits until the server has answered. */
async function act(wallet: Page, button: string, call: string): Promise<void> {
  const answer = wallet.waitForResponse((response) => response.url().endsWith(call))
  await wallet.getByRole('button', { name: button, exact: true }).click()
  expect((await answer).ok()).toBe(true)
}

async function expectLiveStatus(page: Page, status: string): Promise<void> {
  const soon = { timeout: LIVE_MS }
  const chip: Locator = transactionDialog(page).getByText(status, { exact: true })
  await Promise.all([
    expect(chip).toBeVisible(soon),
    expect(transactionRows(page).first()).toContainText(status, soon),
  ])
}

async function newestTransaction(address: string, session: LoggedIn): Promise<Transaction> {
  const { data } = await callProduct(
    address,
    usersContract.listTransactions,
    { params: { id: session.user.id }, query: { limit: '1' } },
    session.accessToken,
  )
  const [transaction] = data
  if (transaction === undefined) throw new Error('The purchase is not in the list.')
  return transaction
}

async function expectBalance(page: Page, total: bigint): Promise<void> {
  const card = page.getByRole('region', { name: 'Token Balance' })
  await expect(card.getByTitle(`${written(total)} HUH`)).toBeVisible()
  const recent = page.getByRole('list', { name: 'Recent Transactions' }).getByRole('listitem')
  await expect(recent).toHaveCount(1)
  await expect(recent.first()).toContainText('Completed')
}
