import { type Browser, expect as promptly, type Locator, type Page } from '@playwright/test'

import { API_BASE } from '#contract/endpoint.ts'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import type { Role } from '#domain/operators/permissions.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, mineBlocks, partOf, payByHttp } from '#tests/e2e/kit/buying.ts'
import { excuseStatus } from '#tests/e2e/kit/account.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import {
  acceptWithPasskey,
  addVirtualAuthenticator,
  inviteByHttp,
} from '#tests/e2e/kit/console/operators.ts'
import { type Faults, watchFaults } from '#tests/e2e/kit/faults.ts'
import { openFromSidebar, storeSession, transactionDialog } from '#tests/e2e/kit/pages.ts'
import { type LoggedIn, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { saleWith } from '#tests/e2e/kit/sale.ts'
import { card, expectNeverLoaded, mark } from '#tests/e2e/kit/sale-pages.ts'
import { test } from '#tests/e2e/kit/test.ts'

/** Five browsers and a server may share one processor. */
const expect = promptly.configure({ timeout: 30_000 })

/** It has no approval rules of its own, so a refund above $1,000 takes two people. */
const saleFile = (secondPrice: string) =>
  saleWith([
    'name: First, type: fixed, token_price: 0.5, total_tokens: 1000000, max_fiat_amount: 2000, start_date: P0D, end_date: P30D',
    `name: Second, type: fixed, token_price: ${secondPrice}, total_tokens: 2000000, start_date: P30D`,
  ])

test.use({ saleFile: saleFile('0.75') })

/** An overpaid purchase, and how much of it is owed back, such as `0.18 ETH`. */
type Overpaid = { purchase: Transaction; owed: string }

const summaryOf = ({ owed }: Overpaid) => `Mark ${owed} as paid back`

/** A separate browser for an operator, with an authenticator and nobody signed in. */
async function anOperatorsBrowser(browser: Browser, address: string, faults: Faults[]) {
  const context = await browser.newContext()
  faults.push(watchFaults(context, address))
  const page = await context.newPage()
  await addVirtualAuthenticator(page)
  return page
}

/** Invites somebody as an owner does at the console; the path and fragment of the link. */
async function inviteAtConsole(page: Page, email: string, role: Role): Promise<string> {
  await openFromSidebar(page, 'Operators')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('radio', { name: role }).check({ force: true })
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const field = dialog.getByRole('button', { name: 'Copy Link' })
  const link = (await field.getAttribute('data-copy-value')) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(email)
  return link.slice(link.indexOf('/operator'))
}

/** $4,500 for a purchase of $1,500 in a stage that allows $2,000, so that $2,500 are owed back. */
async function overpay(address: string, buyer: LoggedIn): Promise<Overpaid> {
  const purchase = await buyByHttp(address, buyer, 1500)
  await payByHttp(address, purchase, partOf(purchase.payment_amount ?? '', 300))
  await mineBlocks(address, 3)
  await expect.poll(async () => (await look(address, buyer, purchase)).refunds.length).toBe(1)
  const [refund] = (await look(address, buyer, purchase)).refunds
  return { purchase, owed: `${refund?.amount} ${refund?.symbol}` }
}

const look = (address: string, { accessToken }: LoggedIn, { id }: Transaction) =>
  callProduct(address, transactionsContract.getTransaction, { params: { id } }, accessToken)

/**
 * Goes from the inbox to the refund, and enters the transaction that paid it. `former`: who has
 * asked for the same before, in vain.
 */
async function askToPayRefund(
  page: Page,
  { purchase, owed }: Overpaid,
  hash: string,
  former = '',
): Promise<void> {
  const asked = former === '' ? '' : `${former} asked to mark`
  await openFromSidebar(page, 'Inbox')
  const row = page.getByRole('row', { name: `${owed} is owed back` })
  await expect(row).toContainText(asked)
  await row.getByRole('link', { name: 'Send it back and mark it as paid' }).click()
  const heading = page.getByRole('heading', { level: 1, name: purchaseNumber(purchase.id) })
  await expect(heading).toBeVisible()
  const refunds = card(page, 'Refunds')
  await expect(refunds).toContainText(asked)
  await page.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(asked)
  if (asked !== '') await expectAccessible(page, 'a refund that may have been sent')
  await dialog.getByLabel(/^Hash/).fill(hash)
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(page.getByText('A second person has to approve this.')).toBeVisible()
  // Whoever sees it as owed would send the money once more.
  await expect(refunds).toContainText('Waits for a second person')
  await expect(refunds.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0)
}

/** Opens the waiting request under Approvals; returns the hash that identifies it. */
async function openApproval(page: Page, summary: string | RegExp): Promise<string> {
  await openFromSidebar(page, 'Approvals')
  await page.getByRole('link', { name: summary }).click()
  await expect(page.getByRole('heading', { level: 1, name: summary })).toBeVisible()
  const hash = /[0-9a-f]{64}/.exec(await card(page, 'Who and when').innerText())?.[0]
  return hash ?? ''
}

/** What the API replies to an approval that the person's browser sends by itself. */
async function approveByApi(page: Page, hash: string): Promise<{ status: number; reason: string }> {
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const url = `${API_BASE}/operator/approvals/${id}/approve`
  const reply = await page.request.post(url, { data: { hash } })
  const { reason } = (await reply.json()) as { reason: string }
  return { status: reply.status(), reason }
}

/** They see what they have asked for, but cannot approve it in any way. */
async function expectNotToApproveOwn(page: Page, hash: string): Promise<void> {
  const facts = card(page, 'Who and when')
  await expect(facts).toContainText('You asked for this. Another person has to approve it.')
  await expect(facts.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(facts.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  expect(await approveByApi(page, hash)).toEqual({ status: 403, reason: 'OwnApproval' })
}

async function approveShown(page: Page): Promise<void> {
  await card(page, 'Who and when').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
}

/** Removes people, as the owner who is signed in on that page. */
async function removeByApi(page: Page, emails: readonly string[]): Promise<void> {
  const team = await page.request.get(`${API_BASE}/operator/operators`)
  const { data } = (await team.json()) as { data: { id: string; email: string }[] }
  for (const { id } of data.filter(({ email }) => emails.includes(email))) {
    const reply = await page.request.post(`${API_BASE}/operator/operators/${id}/remove`)
    expect(reply.ok()).toBe(true)
  }
}

/** The rows of the audit log about an act, in the words of the log, newest first. */
async function auditRows(page: Page, act: string): Promise<Locator> {
  await openFromSidebar(page, 'Audit log')
  await page.getByRole('button', { name: /What$/ }).click()
  await page.getByRole('option', { name: act, exact: true }).click()
  await expect(page).toHaveURL(/act=/)
  await expect(page.getByRole('button', { name: /What$/ })).toContainText(act)
  return page.getByRole('table', { name: 'What operators did' }).locator('tbody tr')
}

test('one day at the console, by people who need each other', async ({
  browser,
  page: buyersPage,
  product,
}) => {
  test.setTimeout(240_000)
  const { address } = product
  const faults: Faults[] = []
  const open = () => anOperatorsBrowser(browser, address, faults)
  const olga = await open()
  const finn = await open()

  await test.step('an owner comes in by the server’s token, and lets finance in', async () => {
    const link = await inviteByHttp(product, { email: 'olga@example.com', role: 'owner' })
    await acceptWithPasskey(olga, link, 'Olga Owner')
    await acceptWithPasskey(
      finn,
      await inviteAtConsole(olga, 'finn@example.com', 'finance'),
      'Finn Finance',
    )
    await expect(finn.getByRole('link', { name: 'Finn Finance' })).toContainText('finance')
  })

  const person = somebody('Bea')
  const buyer = await registerPerson(address, person)
  const overpaid = await overpay(address, buyer)
  const { purchase, owed } = overpaid
  await storeSession(buyersPage, person)
  const streams = buyersPage.waitForResponse('**/api/v1/events')
  await buyersPage.goto(`/buy?id=${purchase.id}`)
  await streams
  const refund = transactionDialog(buyersPage).getByRole('region', { name: 'Refund' })
  await expect(refund).toContainText(`Refund of ${owed} due`)
  await mark(buyersPage)

  await test.step('finance finds the refund in the inbox; paying it takes another one', async () => {
    await openFromSidebar(finn, 'Inbox')
    const row = finn.getByRole('row', { name: `${owed} is owed back` })
    await expect(row).toContainText('$2,500')
    await expect(row).toContainText('anyone in finance')
    await expectAccessible(finn, 'an inbox with a refund')
    await askToPayRefund(finn, overpaid, 'sandbox-went-back')
    await expectNotToApproveOwn(finn, await openApproval(finn, summaryOf(overpaid)))
    expect((await look(address, buyer, purchase)).refunds).toMatchObject([{ status: 'due' }])
    await expect(refund).toContainText(`Refund of ${owed} due`)
  })

  await test.step('the owner sees what it does, and approves it; it is done once', async () => {
    const hash = await openApproval(olga, summaryOf(overpaid))
    const what = card(olga, 'What would be done')
    await expect(what).toContainText('The refund is marked as paid by this transaction, for good')
    await expect(what).toContainText('sandbox-went-back')
    await expect(what).toContainText(owed)
    // Whom it is owed to, and for what: the id of a receipt tells nobody anything.
    await expect(what.getByRole('link', { name: person.email })).toBeVisible()
    await expect(what.getByRole('link', { name: purchaseNumber(purchase.id) })).toBeVisible()
    await expect(what).toContainText('Overpaid')
    await expect(card(olga, 'Who and when')).toContainText('$2,500')
    await expect(card(olga, 'Who and when')).toContainText('Finn Finance')
    await expectAccessible(olga, 'what waits for a second person')
    await approveShown(olga)
    await expect(refund).toContainText(`Refund of ${owed} sent`)
    await expect(refund).not.toContainText(`Refund of ${owed} due`)
    await expectNeverLoaded(buyersPage)
    expect(await approveByApi(olga, hash)).toEqual({ status: 409, reason: 'ApprovalClosed' })
    expect((await look(address, buyer, purchase)).refunds).toMatchObject([
      { status: 'paid', transaction_hash: 'sandbox-went-back' },
    ])
  })

  await test.step('the audit log has both, and is as it was written', async () => {
    const asked = await auditRows(olga, 'Ask for approval')
    await expect(asked).toHaveText([/Finn Finance/])
    const decided = await auditRows(olga, 'Approve act')
    await expect(decided).toHaveText([
      /Olga Owner.*Not allowed/s,
      /Olga Owner/,
      /Finn Finance.*Not allowed/s,
    ])
    await expect(await auditRows(olga, 'Pay refund')).toHaveCount(1)
    await olga.getByRole('button', { name: 'Verify' }).click()
    await expect(olga.getByText(/^\d+ rows are unchanged since they were written/)).toBeVisible()
    await expectAccessible(olga, 'the audit log')
  })

  const uma = await open()
  await test.step('a sale file that changes money takes two owners', async () => {
    const link = await inviteAtConsole(olga, 'uma@example.com', 'owner')
    await acceptWithPasskey(uma, link, 'Uma Owner')
    await transactionDialog(buyersPage).getByRole('button', { name: 'Close' }).click()
    await openFromSidebar(buyersPage, 'Dashboard')
    const ladder = card(buyersPage, 'All stages')
    await expect(ladder).toContainText('$0.75')

    await openFromSidebar(olga, 'Sale')
    await olga.getByLabel('Sale file', { exact: true }).setInputFiles({
      name: 'sale.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from(saleFile('0.8')),
    })
    await expect(olga.getByRole('list', { name: 'Changes' }).last()).toContainText('0.8')
    await olga.getByRole('button', { name: 'Apply it' }).click()
    await olga.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(olga.getByText('A second person has to approve it')).toBeVisible()
    const summary = /^Apply a sale file that changes money/
    await expectNotToApproveOwn(olga, await openApproval(olga, summary))
    await expect(ladder).toContainText('$0.75')

    await openFromSidebar(uma, 'Sale')
    await expect(uma.getByRole('main')).toContainText('Olga Owner asked to apply a sale file')
    await openApproval(uma, summary)
    await expect(card(uma, 'Who and when')).not.toContainText('At stake')
    await expect(card(uma, 'What would be done')).toContainText('0.8')
    const text = uma.getByRole('region', { name: 'Text' })
    await text.focus()
    await uma.keyboard.press('End')
    await expect
      .poll(() => text.evaluate((box) => box.scrollTop), { message: 'the keyboard scrolls it' })
      .toBeGreaterThan(0)
    await expectAccessible(uma, 'a sale file that waits')
    await approveShown(uma)
    await expect(ladder).toContainText('$0.80')
    await expect(ladder).not.toContainText('$0.75')
    await expectNeverLoaded(buyersPage)
  })

  const second = await overpay(address, buyer)
  await test.step('a viewer signs in, sees all of it and may do nothing', async () => {
    const vera = await open()
    const link = await inviteAtConsole(olga, 'vera@example.com', 'viewer')
    await acceptWithPasskey(vera, link, 'Vera Viewer')
    await vera.getByRole('button', { name: 'Sign out' }).click()
    await vera.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(vera.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await expectNoActs(vera, second)
    await askToPayRefund(finn, second, 'sandbox-went-back-too')
    await expectNotToDecide(vera, second)
  })

  await test.step('an owner who is left without a second person is told so', async () => {
    await openApproval(olga, summaryOf(second))
    const facts = card(olga, 'Who and when')
    await facts.getByRole('button', { name: 'Refuse' }).click()
    await olga.getByRole('dialog').getByLabel('Reason').fill('I have sent it myself')
    await olga.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await expect(olga.getByText('Refused', { exact: true })).toBeVisible()
    await openFromSidebar(olga, 'Approvals')
    await expect(olga.getByText('Nothing is waiting')).toBeVisible()
    await askToPayRefund(olga, second, 'sandbox-went-back-by-olga', 'Finn Finance')
    await buyersPage.goto(`/buy?id=${second.purchase.id}`)
    await expect(refund).toContainText('a second person is checking that')
    await expect(refund.getByRole('button', { name: 'Get your money back' })).toHaveCount(0)
    await openApproval(olga, summaryOf(second))
    await expect(facts.getByRole('button', { name: 'Withdraw' })).toBeVisible()
    await expect(facts).not.toContainText('Nobody on the team can approve this')
    await removeByApi(olga, ['finn@example.com', 'uma@example.com'])
    await olga.reload()
    await expect(facts).toContainText(
      'Nobody on the team can approve this: it takes another person who may mark refunds as paid',
    )
    await expectAccessible(olga, 'what nobody can approve')
    await facts.getByRole('link', { name: 'Operators' }).click()
    await expect(olga.getByRole('button', { name: 'Invite somebody' })).toBeVisible()
  })

  // After signing out, one is asked to sign in again.
  for (const each of faults) excuseStatus(each, 401)
  expect(faults.flat(), 'errors of the console').toEqual([])
})

const ACTS =
  /^(Take|Put away|Hold|Release|Fail|Mark as paid|Approve|Refuse|Withdraw|Pause|Resume|Apply|Check it|Invite)/

const expectNone = (page: Page) =>
  expect(page.getByRole('main').getByRole('button', { name: ACTS })).toHaveCount(0)

/** Each screen shows what is to be done, but no way to do it. */
async function expectNoActs(page: Page, overpaid: Overpaid): Promise<void> {
  const main = page.getByRole('main')
  const sections = page.getByRole('navigation', { name: 'Sections' })
  for (const entry of ['People', 'Exports', 'Connections']) {
    await expect(sections.getByRole('link', { name: entry })).toHaveCount(0)
  }
  await openFromSidebar(page, 'Inbox')
  await expect(main).toContainText(`${overpaid.owed} is owed back`)
  await expectNone(page)
  await openFromSidebar(page, 'Refunds')
  await expect(main.getByRole('table', { name: 'Refunds' })).toContainText('Owed')
  await expectNone(page)
  await openFromSidebar(page, 'Purchases')
  await main.getByRole('link', { name: purchaseNumber(overpaid.purchase.id) }).click()
  await expect(main.getByRole('region', { name: 'Refunds' })).toContainText('Owed')
  await expectNone(page)
  await expectAccessible(page, 'a purchase as a viewer sees it')
  await openFromSidebar(page, 'Sale')
  await expect(main).toContainText('First is on sale.')
  await expectNone(page)
  await openFromSidebar(page, 'Operators')
  await expect(main.getByRole('table', { name: 'Team' })).toContainText('Vera Viewer')
  await expectNone(page)
}

/** What waits for a second person is shown, but neither page nor server lets them decide. */
async function expectNotToDecide(page: Page, overpaid: Overpaid): Promise<void> {
  const hash = await openApproval(page, summaryOf(overpaid))
  await expect(page.getByRole('main')).toContainText(
    'It takes a person who may mark refunds as paid, and make batches of claims.',
  )
  await expectNone(page)
  expect(await approveByApi(page, hash)).toEqual({ status: 403, reason: 'PermissionMissing' })
}
