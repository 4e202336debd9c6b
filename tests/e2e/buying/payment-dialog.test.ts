import { expect, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyByHttp, enterAsNewBuyer } from '#tests/e2e/kit/buying.ts'
import { type LiveEvents, startLiveEvents } from '#tests/e2e/kit/live-events.ts'
import { tabTo, transactionDialog, transactionRows } from '#tests/e2e/kit/pages.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'
import { aWireRefund } from '#tests/kit/builders/a-wire-transaction.ts'

const HASH = `0x${'8f3a9c01'.repeat(8)}`
const REFUND_HASH = `0x${'1122aabb'.repeat(8)}`

/** A purchase whose state the test decides, as the server would show it. */
type Staged = {
  purchase: Transaction
  events: LiveEvents
  /** What is shown from now on, at once where the dialog is open. */
  show: (change: Partial<Transaction>) => Promise<void>
  open: (change?: Partial<Transaction>) => Promise<void>
}

async function stagePurchase(page: Page, address: string, name: string): Promise<Staged> {
  const { session } = await enterAsNewBuyer(page, address, name)
  const purchase = await buyByHttp(address, session, 1000)
  const events = await startLiveEvents(page)
  let shown = purchase
  await page.route(`**/api/v1/transactions/${purchase.id}`, (route) =>
    route.fulfill({ json: shown }),
  )
  const show = async (change: Partial<Transaction>) => {
    shown = { ...purchase, ...change }
    await events.send({ type: 'transaction', transaction: shown })
  }
  const open = async (change: Partial<Transaction> = {}) => {
    shown = { ...purchase, ...change }
    await page.goto(`/buy?id=${purchase.id}`)
    await expect(page.getByRole('dialog').locator('[data-situation]')).toBeVisible()
  }
  return { purchase, events, show, open }
}

const receiptOf = (amount: string): Transaction['receipts'][number] => ({
  id: '5b1f6c0e-1111-4222-8333-444455556666',
  amount,
  confirmations: 2,
  required_confirmations: 2,
  seen_date: '2026-11-22T12:00:00Z',
  transaction_hash: HASH,
  explorer_url: `https://explorer.example/tx/${HASH}`,
})

const tooLittle: Partial<Transaction> = {
  status: 'failed',
  status_reason: 'underpaid',
  payment_amount: '0',
  confirmations: 2,
  receipts: [receiptOf('0.2')],
  refunds: [aWireRefund({ amount: '0.2' })],
}

const paidBack: Partial<Transaction> = {
  ...tooLittle,
  refunds: [
    aWireRefund({
      amount: '0.2',
      sent_amount: '0.199',
      status: 'paid',
      transaction_hash: REFUND_HASH,
      explorer_url: `https://explorer.example/tx/${REFUND_HASH}`,
    }),
  ],
}

const completed = ({ payment_amount: due }: Transaction): Partial<Transaction> => ({
  status: 'completed',
  completed_date: '2026-11-22T12:10:00Z',
  payment_amount: '0',
  confirmations: 2,
  actual_purchase_amount_crypto: Number(due),
  actual_purchase_amount_fiat: 1000,
  token_price: 0.0001,
  tokens: { base: 9_999_565.52, bonuses: { base_bonus: 2_799_878.34 }, total: 12_799_443.86 },
  receipts: [receiptOf(due ?? '')],
})

const numberOf = ({ id }: Transaction) => `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase()

test('on a small phone the time left and what is to be paid are in sight at once', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 375, height: 667 })
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Phil')
  await open()
  const dialog = transactionDialog(page)
  await expect(dialog.getByRole('timer', { name: 'Time left' })).toHaveText(/^\d\d:\d\d$/)
  await expect(dialog.getByRole('timer', { name: 'Time left' })).toBeInViewport({ ratio: 1 })
  const amount = dialog.getByRole('button', { name: 'Copy Amount to Pay' })
  await expect(amount).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByText('≈ $1,000', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByText('Token to Pay With')).toBeInViewport({ ratio: 1 })
  await expect(dialog).toContainText(
    'This address is for this purchase alone. The email we sent shows the same',
  )
  await expect(dialog).toContainText(/Your price is held until \d+:\d\d/)
  await expect(dialog).toContainText(`Purchase ${numberOf(purchase)}`)
  const pay = dialog.getByRole('link', { name: 'Pay in the sandbox' })
  await expect(pay).toHaveCount(1)

  await show({ expires_date: '2020-01-01T00:00:00Z' })
  const sentence = dialog.locator('[data-situation]')
  await expect(sentence).toHaveText(/^Time is up: please do not send anything now\./)
  await expect(pay).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Copy Wallet Address' })).toBeVisible()
  await expectAccessible(page, 'a purchase whose time is up')
})

test('a time to pay that begins between two seconds shows no more than its length', async ({
  page,
  product,
}) => {
  await page.clock.install()
  const { show, open } = await stagePurchase(page, product.address, 'Tina')
  await open()
  const timer = transactionDialog(page).getByRole('timer', { name: 'Time left' })
  await expect(timer).toBeVisible()
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  const before = await timer.textContent()
  while ((await timer.textContent()) === before) await page.clock.runFor(20)
  // The next second of the page's clocks is not over yet.
  await page.clock.runFor(800)
  const nowMs = await page.evaluate(() => Date.now())
  await show({ expires_date: new Date(nowMs + 30 * 60_000).toISOString() })
  await expect(timer).toHaveText('30:00')
  await page.keyboard.press('Escape')
  await expect(timer).toBeHidden()
  await transactionRows(page).first().getByRole('button', { name: 'Pay' }).click()
  await expect(timer).toHaveText('30:00')
})

test('one figure is shown for one payment, before and after it', async ({ page, product }) => {
  const { purchase, open } = await stagePurchase(page, product.address, 'Fia')
  const due = purchase.payment_amount ?? ''
  const dialog = transactionDialog(page)
  await open()
  await dialog.getByRole('button', { name: /^What you get/ }).click()
  await expect(dialog.getByText(`${due} ETH`, { exact: true })).toBeVisible()
  await open(completed(purchase))
  const line = dialog.locator('dl > div').filter({ hasText: 'You paid' })
  await expect(line).toContainText(`${due} ETH`)
})

test('what comes late or is too little promises no number of tokens', async ({ page, product }) => {
  const { purchase, show, open } = await stagePurchase(page, product.address, 'Lara')
  const promise = transactionDialog(page).getByText('What you get')
  const sentence = transactionDialog(page).locator('[data-situation]')
  const receipts = [receiptOf(purchase.payment_amount ?? '')]
  await open({ status: 'processing', receipts })
  await expect(promise).toBeVisible()
  await show({ status: 'processing', status_reason: 'late', receipts })
  await expect(sentence).toContainText('whichever gives fewer')
  await expect(promise).toBeHidden()
  const part: Partial<Transaction> = {
    status_reason: 'underpaid',
    receipts: [receiptOf('0.2')],
  }
  await show({ status: 'pending', payment_amount: '0', ...part })
  await expect(sentence).toContainText('Please send nothing more')
  await expect(transactionDialog(page)).toContainText('You get tokens for what has arrived')
  await expect(transactionDialog(page)).not.toContainText(/the rest|not lost/)
  await show({ status: 'processing', ...part })
  await expect(sentence).toContainText('0.2 ETH of your payment arrived in time')
  await expect(promise).toBeHidden()
})

test('completed: the tokens, what comes next, and what they are worth', async ({
  page,
  product,
}) => {
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Cleo')
  await open()
  await show(completed(purchase))
  const dialog = transactionDialog(page)
  const moment = dialog.locator('[data-situation="credited"]')
  await expect(moment).toHaveText(/^12,799,443\.86 HUH are yours ?Paid in full and on time\.$/)
  await expect(moment.getByText('12,799,443.86', { exact: true })).toHaveCSS('font-size', '49px')
  await expect(moment.locator('svg')).toBeVisible()

  const next = dialog.getByRole('list', { name: 'What comes next' })
  await expect(next.getByRole('listitem').filter({ hasText: 'When you get them' })).toBeVisible()
  const receipt = next.getByRole('listitem').filter({ hasText: 'Your receipt' })
  await expect(receipt).toContainText(numberOf(purchase))
  await expect(receipt.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible()
  const friend = next.getByRole('listitem').filter({ hasText: 'Invite a friend' })
  await expect(friend).toContainText('Earn $25 per referral when they spend $250 or more.')

  const line = (label: string) => dialog.locator('dl > div').filter({ hasText: label })
  await expect(line('You paid')).toContainText('$1,000')
  await expect(line('Worth at the price of Stage 1')).toContainText('$1,279.94')
  await expect(line('Of which bonus')).toContainText('$279.99')
  await expect(dialog).toContainText('HUH is not traded yet.')
  await takePictures(page, 'dialog-completed-moment', 'window')
  await expectAccessible(page, 'a completed purchase')

  await tabTo(page, friend.getByRole('link'))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/referrals')
})

test('a refund that is due says why, what comes next and whom to write to', async ({
  page,
  product,
}) => {
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Rosa')
  await open(tooLittle)
  const dialog = transactionDialog(page)
  const chips = dialog.locator('[data-tone]')
  await expect(chips).toHaveText(['Failed', 'Refund due'])
  await expect(chips.nth(1)).toHaveAttribute('data-tone', 'warning')
  const rail = dialog.getByRole('list', { name: 'Refund' }).getByRole('listitem')
  await expect(rail).toHaveText([
    /^0\.2 ETH arrived/,
    /^It could not be used.*Less than the minimum arrived in time\.$/,
    /^Refund of 0\.2 ETH due/,
  ])
  await expect(rail.nth(2)).toHaveAttribute('data-state', 'current')
  await expect(dialog).toContainText('address on the Ethereum (ERC20) network that should get it')
  const write = dialog.getByRole('link', { name: 'Write about the refund' })
  const subject = encodeURIComponent(`Refund for purchase ${numberOf(purchase)}`)
  await expect(write).toHaveAttribute('href', `mailto:privacy@huh.social?subject=${subject}`)
  await takePictures(page, 'dialog-refund-due', 'window')
  await expectAccessible(page, 'a refund that is due')

  await test.step('once it is sent, the page shows by which transaction', async () => {
    await show(paidBack)
    await expect(chips).toHaveText(['Failed'])
    await expect(dialog.locator('[data-situation="refunded"]')).toHaveText(
      'What arrived could not be credited. It was sent back to you.',
    )
    await expect(rail.nth(2)).toContainText('Refund of 0.199 ETH sent')
    await expect(rail.nth(2)).toContainText(REFUND_HASH)
    await expect(rail.nth(2).getByRole('link')).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${REFUND_HASH}`,
    )
    await expect(write).toHaveCount(0)
    await takePictures(page, 'dialog-refund-sent', 'window')
  })
})

test('the same coin on another network is sent back on that network', async ({ page, product }) => {
  const { purchase, open } = await stagePurchase(page, product.address, 'Nadia')
  const url = `https://explorer.example/tx/${REFUND_HASH}`
  const paid = { status: 'paid', transaction_hash: REFUND_HASH, explorer_url: url } as const
  await open({
    ...completed(purchase),
    receipts: [receiptOf(purchase.payment_amount ?? '')],
    refunds: [
      aWireRefund({ amount: '7', chain: 'BSC' }),
      aWireRefund({ amount: '2', chain: 'BSC', ...paid }),
    ],
  })
  const rail = transactionDialog(page).getByRole('region', { name: 'Refund' })
  await expect(rail).toContainText('9 ETH arrived')
  await expect(rail).toContainText('It is not the coin that this purchase asked for, or not on its')
  await expect(rail).toContainText('the address on the BNB Smart Chain (BSC) network')
  await expect(rail.getByRole('link', { name: 'View on the blockchain' })).toHaveAttribute(
    'href',
    url,
  )
})

test('what could not be used is owed back and says why, and the tokens are there', async ({
  page,
  product,
}) => {
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Mona')
  const due = Number(purchase.payment_amount)
  const overpaid: Partial<Transaction> = {
    ...completed(purchase),
    status_reason: 'overpaid',
    receipts: [receiptOf((due + 0.1).toFixed(8))],
    refunds: [aWireRefund()],
  }
  await open(overpaid)
  const dialog = transactionDialog(page)
  await expect(dialog.locator('[data-tone]')).toHaveText(['Completed', 'Refund due'])
  const rail = dialog.getByRole('list', { name: 'Refund' })
  await expect(rail).toContainText('0.1 ETH of it could not be used')
  await expect(rail).toContainText('It is more than was due.')
  await expect(dialog).toContainText('12,799,443.86 HUH are yours')
  // What was due and no more, which came back once others had bought the tokens.
  const receipts = [receiptOf(purchase.payment_amount ?? '')]
  await show({ ...overpaid, status_reason: null, receipts })
  await expect(rail).toContainText('Too few tokens were left for it, or its coin had no price.')
  await expect(rail).not.toContainText('more than was due')
})

test('whom to ask stands in every state, with the number filled in', async ({ page, product }) => {
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Quentin')
  const dialog = transactionDialog(page)
  const help = dialog.getByRole('link', { name: 'privacy@huh.social' })
  const href = `mailto:privacy@huh.social?subject=${encodeURIComponent(`Purchase ${numberOf(purchase)}`)}`
  await open()
  const states: Partial<Transaction>[] = [
    {},
    { status: 'processing', receipts: [receiptOf('0.1')] },
    completed(purchase),
    tooLittle,
    { status: 'expired', payment_amount: '0' },
  ]
  for (const state of states) {
    await show(state)
    await expect(dialog.locator('[data-tone]').first()).toHaveText(
      new RegExp(`^${state.status ?? 'pending'}$`, 'i'),
    )
    await expect(dialog.getByText('Questions?')).toBeVisible()
    await expect(help).toHaveAttribute('href', href)
  }
})

test('nothing moves while confirmations arrive', async ({ page, product }) => {
  const { purchase, open, show } = await stagePurchase(page, product.address, 'Stella')
  const processing = (confirmations: number): Partial<Transaction> => ({
    status: 'processing',
    payment_amount: '0',
    confirmations,
    receipts: [receiptOf(purchase.payment_amount ?? '')],
  })
  // The dialog's own appearance counts as a movement too.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await open(processing(0))
    const dialog = transactionDialog(page)
    const places = () =>
      dialog.evaluate((element) =>
        [...element.querySelectorAll('p, dl, li, h2, h3, button, a')].map((part) => {
          const { x, y, width: wide, height } = part.getBoundingClientRect()
          return [x, y, wide, height].map(Math.round).join(' ')
        }),
      )
    await expect(dialog).toContainText('0 of 2 confirmations')
    const before = await places()
    await show(processing(1))
    await expect(dialog).toContainText('1 of 2 confirmations')
    expect(await places()).toEqual(before)
  }
})

test('on a phone what is to be paid stands on one line with its unit', async ({
  page,
  product,
}) => {
  const { open } = await stagePurchase(page, product.address, 'Una')
  await page.setViewportSize({ width: 375, height: 800 })
  for (const due of ['371310.43576752', '0.123456789012345678']) {
    await open({ payment_amount: due })
    const field = transactionDialog(page).getByRole('button', { name: 'Copy Amount to Pay' })
    await expect(field).toHaveAttribute('data-copy-value', due)
    const digits = await field.locator('.whitespace-nowrap').boundingBox()
    const unit = await field.getByText('ETH', { exact: true }).boundingBox()
    expect(unit?.y, due).toBeLessThan((digits?.y ?? 0) + (digits?.height ?? 0) - 4)
  }
})

test('the dialog is whole at twice the size of text, and no figure breaks', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  const { purchase, open } = await stagePurchase(page, product.address, 'Greta')
  await page.evaluate(() => localStorage.setItem('presale.language', 'string:de'))
  for (const state of [{}, completed(purchase), tooLittle, paidBack]) {
    await open(state)
    const dialog = page.getByRole('dialog', { name: 'Transaktion' })
    const outside = await dialog.evaluate((element) =>
      [...element.querySelectorAll('*')]
        .filter(
          (part) => part.getBoundingClientRect().right > element.getBoundingClientRect().right + 1,
        )
        .map((part) => part.outerHTML.slice(0, 120)),
    )
    expect(outside, 'what sticks out at the side').toEqual([])
  }
  await open(completed(purchase))
  const panel = page.locator('[data-situation] > section')
  const figure = panel.getByText('12,799,443.86', { exact: true })
  const [inside, around] = [await figure.boundingBox(), await panel.boundingBox()]
  expect((inside?.x ?? 0) + (inside?.width ?? 0)).toBeLessThan(
    (around?.x ?? 0) + (around?.width ?? 0),
  )
})
