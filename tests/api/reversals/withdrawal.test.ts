import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authContract } from '#contract/auth.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectAllWell,
  expectInvariants,
  lookAt,
  mailsOf,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  refundsOf,
  reorganise,
  tryToBuy,
  setPaused,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, anAddress, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
const withRight = (sale: Sale): Sale => ({ ...quickSale(sale), withdrawal: { days: 14 } })

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: withRight })
  buyer = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

const withdraw = (
  id: string,
  body: { password?: string; code?: string } = {},
  as: { accessToken: string } = buyer.as,
) =>
  app.client.call(
    transactionsContract.withdrawTransaction,
    { params: { id }, body: { password: buyer.password, ...body } },
    as,
  )

/** A session of its own, as others end while time passes. */
async function againLoggedIn(): Promise<{ accessToken: string }> {
  const body = { email: buyer.email, password: buyer.password }
  const from = { remoteAddress: anAddress() }
  const { tokens } = (await app.client.call(authContract.login, { body }, from)).body.data
  return { accessToken: tokens.access.token }
}

/** The mail that acknowledges a withdrawal. */
async function acknowledgement() {
  await sendMails(app.services)
  return app.mailbox.taken.find(({ subject }) => subject.startsWith('You have withdrawn'))
}

const stateOf = async () =>
  (await app.client.call(operatorContract.getSaleState, {}, operator)).body

const mark = (call: 'holdPurchase' | 'releasePurchase' | 'failPurchase', { id }: Transaction) =>
  app.client.call(
    operatorContract[call],
    { params: { id }, headers: named, body: { reason: 'To look into it' } },
    operator,
  )

describe('withdrawing from a purchase', () => {
  it('gives the tokens back, owes the coin back, and is acknowledged by mail', async () => {
    const purchase = await buyAndPay(app, buyer)
    expect(purchase.withdrawable_until_date).toMatch(/T00:00:00/)
    expect(await stateOf()).toMatchObject({
      withdrawable: [{ payment_token: { id: 'eth' }, purchases: 1 }],
    })
    const reply = await withdraw(purchase.id)
    expect(reply.body).toMatchObject({
      status: 'failed',
      status_reason: 'withdrawn',
      refunds: [{ status: 'due', symbol: 'ETH' }],
    })
    expect(reply.body.withdrawn_date).not.toBeNull()
    expect(await balanceOf(app, buyer)).toBe(0)
    const refunds = await refundsOf(app, purchase)
    expect(refunds).toMatchObject([{ why: 'withdrawn' }])
    expect((await stateOf()).withdrawable).toEqual([])
    expect((await mailsOf(app, purchase)).slice(-2).toSorted()).toEqual([
      'purchase_refund_listed',
      'purchase_withdrawn',
    ])
    const receipt = await acknowledgement()
    expect(receipt?.text).toContain(buyer.email)
    expect(receipt?.text).toContain('I withdraw from this contract.')
    expect(receipt?.text).toContain('What you paid is owed back to you in the same coin')

    expect((await withdraw(purchase.id)).body).toEqual(reply.body)
    expect(await refundsOf(app, purchase)).toEqual(refunds)
  })

  it('is acknowledged also where the account is erased before the mail is sent', async () => {
    const purchase = await buyAndPay(app, buyer)
    await withdraw(purchase.id)
    const own = { params: { id: buyer.user.id }, body: { password: buyer.password } }
    expect((await app.client.call(usersContract.eraseUser, own, buyer.as)).status).toBe(204)
    const receipt = await acknowledgement()
    expect(receipt?.to).toBe(buyer.email)
    expect(receipt?.text).toContain('I withdraw from this contract.')
    // Its page can be opened no more.
    expect(receipt?.text).toContain('write to us to have it sent back')
    expect(receipt?.text).toContain(app.services.sale.project.contactEmail)
    expect(receipt?.text).not.toMatch(/page of the purchase|\/buy\?id=/)
    await app.passTime(25 * 60 * 60_000)
    await deleteExpiredRecords(app.services)
    expect(await everythingStored(app.open.database)).not.toContain(buyer.email)
  })

  it.each(['before', 'after'])(
    'keeps an account’s address for a month if it was erased %s its mail was lost',
    async (when) => {
      const purchase = await buyAndPay(app, buyer)
      await withdraw(purchase.id)
      const own = { params: { id: buyer.user.id }, body: { password: buyer.password } }
      const erase = async (as: { accessToken: string }) => {
        expect((await app.client.call(usersContract.eraseUser, own, as)).status).toBe(204)
      }
      if (when === 'before') await erase(buyer.as)
      app.mailbox.isDown = true
      // More often than any mail is tried.
      for (let tries = 0; tries < 100; tries += 1) {
        await sendMails(app.services)
        await app.passTime(60 * 60_000)
      }
      if (when === 'after') await erase(await againLoggedIn())
      app.mailbox.isDown = false
      app.complaints.length = 0
      await sendMails(app.services)
      await app.passTime(2 * DAY_MS)
      await deleteExpiredRecords(app.services)
      expect(await everythingStored(app.open.database)).toContain(buyer.email)
      await app.passTime(30 * DAY_MS)
      await deleteExpiredRecords(app.services)
      expect(await everythingStored(app.open.database)).not.toContain(buyer.email)
    },
  )

  it('of which a part is owed back already is followed by a mail about all of it', async () => {
    const purchase = await aPurchase(app, buyer)
    await setPaused(app, true)
    await pay(app, purchase, part(purchase, 1.1))
    await mine(app, 2)
    await setPaused(app, false)
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'overpaid' }])
    await withdraw(purchase.id)
    const kinds = await mailsOf(app, purchase)
    expect(kinds.filter((kind) => kind === 'purchase_refund_listed')).toHaveLength(2)
  })

  it('takes the reward of who referred the buyer back', async () => {
    const friend = await aUser(app, { referrals: { referred_by: buyer.user.id } })
    const purchase = await buyAndPay(app, friend, { usd: 300 })
    expect(await balanceOf(app, buyer)).toBeGreaterThan(0)
    await withdraw(purchase.id, { password: friend.password }, friend.as)
    expect(await balanceOf(app, buyer)).toBe(0)
  })

  it('ends a purchase that is not paid, and owes back what comes all the same', async () => {
    const purchase = await aPurchase(app, buyer)
    expect((await withdraw(purchase.id)).body).toMatchObject({ status: 'failed', refunds: [] })
    const mail = await acknowledgement()
    expect(mail?.text).toContain('The tokens go back to the sale.')
    expect(mail?.text).not.toContain('owed back')
    await app.passTime(1_000)
    await pay(app, purchase)
    await mine(app, 2)
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'late' }])
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status_reason: 'withdrawn' })
  })

  it('counts as letting it expire, unless it was paid', async () => {
    const paid = await buyAndPay(app, buyer)
    await withdraw(paid.id)
    for (let nth = 0; nth < 2; nth += 1) await withdraw((await aPurchase(app, buyer)).id)
    const crumbs = await aPurchase(app, buyer)
    await pay(app, crumbs, part(crumbs, 0.001))
    await withdraw(crumbs.id)
    const { refusal } = await tryToBuy(app, buyer)
    expect(refusal).toMatchObject({
      reason: 'PurchasesLapsed',
      message: expect.stringContaining('You let 3 purchases end without paying') as string,
    })
  })

  it('is for its buyer alone, with password and code', async () => {
    const purchase = await buyAndPay(app, buyer)
    const other = await aUser(app)
    expect((await withdraw(purchase.id, {}, other.as)).refusal.reason).toBe('NotFound')
    expect((await withdraw(randomUUID())).refusal.reason).toBe('NotFound')
    expect((await withdraw('x')).refusal.reason).toBe('NotFound')
    const wrong = await withdraw(purchase.id, { password: 'another-one' })
    expect(wrong.refusal.reason).toBe('WrongPassword')
    const authenticator = await turnOnTwoFactor(app, buyer)
    expect((await withdraw(purchase.id)).refusal.errors).toMatchObject([{ path: 'code' }])
    const bad = await withdraw(purchase.id, { code: '000000' })
    expect(bad.refusal.reason).toBe('WrongCode')
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    const done = await withdraw(purchase.id, { code: await authenticator.nextCode() })
    expect(done.body).toMatchObject({ status_reason: 'withdrawn' })
  })

  it('gives back wrong codes after a right one', async () => {
    const purchases = [await buyAndPay(app, buyer), await buyAndPay(app, buyer)]
    const authenticator = await turnOnTwoFactor(app, buyer)
    for (const { id } of purchases) {
      for (let wrong = 0; wrong < 8; wrong += 1) {
        expect((await withdraw(id, { code: '000000' })).refusal.reason).toBe('WrongCode')
      }
      expect((await withdraw(id, { code: await authenticator.nextCode() })).status).toBe(200)
    }
    // Nobody compares the code of a repetition, so it gives nothing back.
    const again = () => withdraw(purchases[0]?.id ?? '', { code: '000000' })
    for (let made = 0; made < 10; made += 1) expect((await again()).status).toBe(200)
    expect((await again()).refusal.reason).toBe('TooManyRequests')
  })

  it('is refused if a new password is chosen before it is written', async () => {
    const purchase = await buyAndPay(app, buyer)
    const { password } = buyer
    const as = await againLoggedIn()
    const { passwords } = app.services
    const verify = passwords.verify.bind(passwords)
    vi.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
      const isRight = await verify(...given)
      const change = { current_password: password, password: 'another-passw0rd' }
      await app.client.call(authContract.changePassword, { body: change }, as)
      return isRight
    })
    expect((await withdraw(purchase.id)).refusal.reason).toBe('Unauthenticated')
    expect(await refundsOf(app, purchase)).toEqual([])
  })

  it('is in time by when the statement came, however long its password waits', async () => {
    const purchase = await buyAndPay(app, buyer)
    const end = Date.parse(purchase.withdrawable_until_date ?? '')
    await app.passTime(end - 60_000 - app.clock.now().getTime())
    const as = await againLoggedIn()
    const { passwords } = app.services
    const verify = passwords.verify.bind(passwords)
    vi.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
      app.clock.pass(120_000)
      return await verify(...given)
    })
    const reply = await withdraw(purchase.id, {}, as)
    expect(reply.body).toMatchObject({ status_reason: 'withdrawn' })
    expect(Date.parse(reply.body.withdrawn_date ?? '')).toBeLessThan(end)
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'withdrawn' }])
  })

  it('is over after the last day, and nothing to do where a purchase has ended', async () => {
    const purchase = await buyAndPay(app, buyer)
    const lapsed = await aPurchase(app, buyer)
    await passExpiry(app)
    const ended = await withdraw(lapsed.id)
    expect(ended.refusal).toMatchObject({
      reason: 'NotWithdrawable',
      message: expect.stringContaining('ended') as string,
    })
    await app.passTime(17 * DAY_MS)
    const late = await withdraw(purchase.id, {}, await againLoggedIn())
    expect(late.refusal.reason).toBe('NotWithdrawable')
    expect((await stateOf()).withdrawable).toEqual([])
  })

  it('waits for the operator who holds the purchase', async () => {
    const purchase = await buyAndPay(app, buyer)
    await mark('holdPurchase', purchase)
    const held = await withdraw(purchase.id)
    expect(held.body).toMatchObject({ status: 'processing', status_reason: 'held', refunds: [] })
    const mail = await acknowledgement()
    expect(mail?.text).toContain('We are reviewing your payment, and will email you')
    expect(mail?.text).not.toContain('owed back')
    await mark('releasePurchase', purchase)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status_reason: 'withdrawn' })
    expect(await refundsOf(app, purchase)).toMatchObject([{ why: 'withdrawn' }])
    // It stays withdrawn, whatever an operator does.
    await mark('failPurchase', purchase)
    await mark('releasePurchase', purchase)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status_reason: 'withdrawn' })
  })

  it('owes nothing while a reorganisation has the money', async () => {
    const purchase = await buyAndPay(app, buyer)
    await withdraw(purchase.id)
    await reorganise(app, 3)
    expect(await refundsOf(app, purchase)).toEqual([])
    await expectInvariants(app)
  })
})

describe('a sale without the right to withdraw', () => {
  it('refuses it', async () => {
    await app.close()
    app = await startApp({ changeSale: quickSale })
    buyer = await aUser(app)
    const purchase = await buyAndPay(app, buyer)
    expect(purchase.withdrawable_until_date).toBeNull()
    const reply = await withdraw(purchase.id)
    expect(reply.refusal).toMatchObject({
      reason: 'NotWithdrawable',
      message: expect.stringContaining('without a right') as string,
    })
  })
})
