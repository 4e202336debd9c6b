import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  lookAt,
  mailsOf,
  mine,
  part,
  passExpiry,
  pay,
  payInWrongCoin,
  quickSale,
  reorganise,
  settleAgain,
  setPaused,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { listRefunds, named, operator, payRefund } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterEach(async () => {
  await expectAllWell(app)
})
afterAll(() => app.close())

describe('the mail to a buyer', () => {
  const pause = (isPaused: boolean) => setPaused(app, isPaused)
  /** Sends what is due, and gives all mails to a buyer, oldest first. */
  async function mailsTo(buyer: RegisteredUser): Promise<string[]> {
    const waiting = app.open.database
      .selectFrom('outbox_mails')
      .select('id')
      .where('sent_at', 'is', null)
      .where('dropped_at', 'is', null)
    while ((await waiting.execute()).length > 0) await sendMails(app.services)
    return app.mailbox.taken
      .filter(({ to }) => to === buyer.user.email)
      .map(({ subject, text }) => `${subject}\n${text}`)
  }

  it('of a late payment that finds no tokens is that it is owed back', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await passExpiry(app)
    await pay(app, purchase)
    expect((await mailsTo(buyer)).at(-1)).toContain('while any are left')
    const before = await app.open.database.selectFrom('stage_counters').selectAll().execute()
    for (const { stage_id, reserved, sold } of before) {
      const supply = tokenAmount(reserved + sold)
      await setSupply(stage_id, supply)
    }
    await mine(app, 2)
    for (const { stage_id, supply } of before) await setSupply(stage_id, supply)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'expired',
      status_reason: 'late',
    })
    expect(await mailsOf(app, purchase)).toEqual([
      'purchase_created',
      'purchase_expired',
      'purchase_processing',
      'purchase_refund_listed',
    ])
    const last = (await mailsTo(buyer)).at(-1)
    expect(last).toContain(`${purchase.payment_amount} ETH of your HUH purchase is owed back`)
    expect(last).toContain('after the time to pay had ended')
  })

  const setSupply = (stageId: string, supply: TokenAmount) =>
    app.open.database
      .updateTable('stage_counters')
      .set({ supply })
      .where('stage_id', '=', stageId)
      .execute()

  it('of a payment that comes when nothing is on sale is that it is owed back', async () => {
    const [slow, keen] = [await aUser(app), await aUser(app)]
    const late = await aPurchase(app, slow)
    const twice = await buyAndPay(app, keen)
    await passExpiry(app)
    await pause(true)
    await pay(app, late)
    await pay(app, twice, part(late, 1))
    await mine(app, 2)
    await pause(false)
    expect(await mailsOf(app, late)).toEqual([
      'purchase_created',
      'purchase_expired',
      'purchase_refund_listed',
    ])
    expect((await mailsOf(app, twice)).slice(2)).toEqual([
      'purchase_completed',
      'purchase_refund_listed',
    ])
    expect((await mailsTo(keen)).at(-1)).toContain('after the time to pay had ended')
  })

  it('of a payment that is more than was asked for promises no number of tokens', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 1.5))
    const mail = (await mailsTo(buyer)).at(-1)
    expect((await mailsOf(app, purchase)).at(-1)).toBe('purchase_processing')
    expect(mail).toContain('It is more than was asked for.')
    expect(mail).toContain('the surplus buys tokens while any are left')
    expect(mail).not.toContain('You get')
  })

  it('of a completed purchase names what could buy no tokens, and only that', async () => {
    const [lucky, unlucky] = [await aUser(app), await aUser(app)]
    const all = await aPurchase(app, lucky)
    await pay(app, all, part(all, 1.5))
    await mine(app, 2)
    const toLucky = (await mailsTo(lucky)).at(-1)
    expect(toLucky).toContain('More arrived than was asked for, and all of it has bought tokens.')
    expect(toLucky).not.toContain('refund')

    const half = await aPurchase(app, unlucky)
    await pay(app, half)
    await pause(true)
    await pay(app, half, part(half, 0.5))
    await mine(app, 2)
    await pause(false)
    expect(await mailsOf(app, half)).toContain('purchase_completed')
    // One percent more than was due is credited in any case.
    const owed = part(half, 0.49)
    const toUnlucky = (await mailsTo(unlucky)).find((mail) => mail.includes('is complete'))
    expect(toUnlucky).toContain(
      `More arrived than was asked for. In all, ${owed} ETH could not buy tokens and is owed`,
    )
  })

  it('of a completed purchase says what was sent back, also when it is complete once more', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await pause(true)
    const second = await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    await pause(false)
    await payRefund(app, second, 'sent-the-surplus-back')
    await mark('holdPurchase', purchase)
    await mark('releasePurchase', purchase)
    const again = (await mailsTo(buyer)).findLast((mail) => mail.includes('is complete'))
    expect(again).toContain(
      `More arrived than was asked for. In all, ${part(purchase, 0.49)} ETH could not buy ` +
        'tokens and has been sent back, less any network fee.',
    )
    expect(again).not.toContain('all of it has bought tokens')
  })

  it('of another coin that was sent back names the network of that coin', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    await payInWrongCoin(app, purchase)
    await mine(app, 2)
    const { data } = await listRefunds(app)
    const owed = data.find(({ purchase_id: id }) => id === purchase.id)
    await payRefund(app, owed?.receipt_id ?? '', 'sent-the-other-coin-back')
    const mail = (await mailsTo(buyer)).at(-1)
    expect(mail).toContain('sent-the-other-coin-back')
    expect(mail).toContain('Network: Ethereum (ERC20)')
    expect(mail).not.toContain('Bitcoin')
  })

  it('of a late payment that has bought tokens does not speak of a refund', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await passExpiry(app)
    await pay(app, purchase)
    await mine(app, 2)
    const mail = (await mailsTo(buyer)).at(-1)
    expect(mail).toContain('it was credited at the original or the current price')
    expect(mail).not.toContain('refund')
  })

  it('of a part in time and the rest too late does not call it too little', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 0.02))
    await mine(app, 2)
    await passExpiry(app)
    await pay(app, purchase, part(purchase, 0.98))
    const mail = (await mailsTo(buyer)).at(-1)
    expect(mail).toContain('Your payment for HUH has arrived')
    expect(mail).toContain('It came after the time to pay had ended.')
    expect(mail).not.toContain('less than what was asked for')
  })

  it('of a failed purchase is how much is owed back, and why', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    const little = part(purchase, 0.02)
    await pay(app, purchase, little)
    await mine(app, 2)
    expect((await mailsTo(buyer)).at(-1)).toMatch(/^[\d.]+ ETH is missing from your HUH purchase/)
    await passExpiry(app)
    const mail = (await mailsTo(buyer)).at(-1)
    expect(mail).toContain('could not be completed')
    expect(mail).toContain(
      `less than the minimum arrived in time. What came, ${little} ETH, is owed back to you`,
    )
  })

  it('of how to pay is not sent once the time to pay is over', async () => {
    const buyer = await aUser(app)
    const unpaid = await aPurchase(app, buyer)
    const short = await aPurchase(app, buyer)
    await pay(app, short, part(short, 0.02))
    await mine(app, 2)
    expect(await mailsOf(app, short)).toEqual(['purchase_created', 'purchase_underpaid'])
    await app.passTime(60_000)
    const sent = (await mailsTo(buyer)).join('\n')
    expect(sent).not.toContain(unpaid.payment_address)
    expect(sent).not.toContain(short.payment_address)
    expect(await lookAt(app, buyer, short)).toMatchObject({ status: 'pending' })
    await passExpiry(app)
    const outcomes = (await mailsTo(buyer)).slice(-2).map((mail) => mail.split('\n')[0])
    expect(outcomes.toSorted()).toEqual([
      'Your HUH purchase could not be completed',
      'Your HUH purchase has expired',
    ])
  })

  it('of an expired purchase does not promise that the sale goes on', async () => {
    const buyer = await aUser(app)
    await aPurchase(app, buyer)
    await passExpiry(app)
    const mail = (await mailsTo(buyer)).at(-1)
    expect(mail).toContain('you can buy again while tokens are on sale')
    expect(mail).not.toContain('at any time')
  })

  it('is once only that a payment is owed back, however often it is settled', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await passExpiry(app)
    await pause(true)
    await pay(app, purchase)
    await mine(app, 2)
    await settleAgain(app, purchase)
    await pause(false)
    const kinds = await mailsOf(app, purchase)
    expect(kinds.filter((kind) => kind === 'purchase_refund_listed')).toHaveLength(1)
  })

  it('of tokens that are taken back is why, and what is left', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { usd: 1000 })
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    const whole = await lookAt(app, buyer, purchase)
    await passExpiry(app)
    await reorganise(app, 2)
    const left = await lookAt(app, buyer, purchase)
    expect(left).toMatchObject({ status: 'completed', status_reason: 'underpaid' })
    expect(left.tokens.total).toBeLessThan(whole.tokens.total)
    expect((await mailsOf(app, purchase)).at(-1)).toBe('purchase_reversed')
    const last = (await mailsTo(buyer)).at(-1)
    expect(last).toContain('no longer on the network')
    expect(last).toMatch(/What is left of the purchase has bought [\d,.]+ HUH/)
  })

  const mark = (call: 'holdPurchase' | 'releasePurchase' | 'failPurchase', { id }: Transaction) =>
    app.client.call(
      operatorContract[call],
      { params: { id }, headers: named, body: { reason: 'To look into it' } },
      operator,
    )

  it('of a completed purchase that is held, and then failed, is what becomes of its tokens', async () => {
    const buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer)
    await mark('holdPurchase', purchase)
    const held = (await mailsTo(buyer)).at(-1)
    expect(held).toContain('We are reviewing your payment for HUH')
    expect(held).toContain('What was credited is taken back until that is decided.')
    expect(held).not.toMatch(/has arrived|being confirmed/)
    await mark('failPurchase', purchase)
    const direct = await buyAndPay(app, buyer)
    await mark('failPurchase', direct)
    const failed = (await mailsTo(buyer)).filter((mail) => mail.includes('has been cancelled'))
    expect(failed).toHaveLength(2)
    for (const mail of failed) {
      expect(mail).toContain('You do not receive its tokens.')
      expect(mail).not.toMatch(/could not be completed|No tokens were credited/)
    }
  })

  it('of a purchase that was held with too little is that too little came', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 0.02))
    await mine(app, 2)
    await mark('holdPurchase', purchase)
    await passExpiry(app)
    await mark('releasePurchase', purchase)
    const failed = (await mailsTo(buyer)).at(-1)
    expect(failed).toContain('less than the minimum arrived in time')
    expect(failed).not.toContain('has been cancelled')
  })

  it('of a completed purchase of which a reorganisation leaves too little is that its tokens are gone', async () => {
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 0.02))
    await mine(app, 2)
    await pay(app, purchase, part(purchase, 0.98))
    await mine(app, 2)
    await passExpiry(app)
    await reorganise(app, 2)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'failed',
      status_reason: 'underpaid',
    })
    const failed = (await mailsTo(buyer)).at(-1)
    expect(failed).toContain('You do not receive its tokens.')
    expect(failed).not.toContain('No tokens were credited')
  })

  it('of a payment that comes after the purchase was complete is what it has bought', async () => {
    const buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer, { usd: 100 })
    await pay(app, purchase, part(await aPurchase(app, buyer, { usd: 50 }), 1))
    await mine(app, 2)
    const grown = await lookAt(app, buyer, purchase)
    expect(grown).toMatchObject({ status: 'completed', status_reason: 'overpaid' })
    expect((await mailsOf(app, purchase)).slice(-2)).toEqual([
      'purchase_completed',
      'purchase_topped_up',
    ])
    const last = (await mailsTo(buyer)).at(-1)
    const gained = Math.floor(grown.tokens.total - purchase.tokens.total)
    expect(last).toContain(gained.toLocaleString('en'))
    expect(last).toContain('Another payment has arrived for a purchase that was complete')
    expect(last).not.toContain('refund')

    await pay(app, purchase, part(await aPurchase(app, buyer, { usd: 20 }), 1))
    await mine(app, 2)
    const kinds = await mailsOf(app, purchase)
    expect(kinds.filter((kind) => kind === 'purchase_topped_up')).toHaveLength(2)
  })
})
