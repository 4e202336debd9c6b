import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { ownExportContract } from '#contract/export.ts'
import { formatDecimal } from '#domain/money.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
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
  reorganise,
  settleAgain,
  payInWrongCoin,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  owedPurchases,
  payRefund,
  refundCounts,
  tryToPay,
} from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

/** What the ledger has in an account of ETH, as a decimal. */
async function balance(account: string): Promise<string> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(case when destination = ${account} then amount else -amount end), 0) as sum
    from ledger_transfers
    where ${account} in (source, destination) and asset = 'eth'`.execute(app.open.database)
  return formatDecimal(rows[0]?.sum ?? 0n, 18)
}

const balances = async () => ({
  refunds: await balance('refunds:eth'),
  paidOut: await balance('paid_out:eth'),
  received: await balance('received:eth'),
  uncovered: await balance('uncovered:eth'),
})

/** What was on the chain is there again, as when the branch that won is given up. */
async function bringBack(): Promise<void> {
  await sql`
    update sandbox_transfers set is_gone = false,
      revision = (select revision + 1 from sandbox_chain)`.execute(app.open.database)
  await sql`update sandbox_chain set revision = revision + 1`.execute(app.open.database)
  await mine(app, 2)
}

describe('paying a refund', () => {
  test('takes it off the list for good, out of what is owed, and notifies the buyer', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const amount = part(purchase, 0.05)
    expect(await balances()).toMatchObject({ refunds: amount, paidOut: '0' })
    const earlier = app.clock.now().toISOString()
    const paid = await payRefund(app, receiptId, 'the-hash-that-paid')
    expect((paid.paid_date ?? '') >= earlier).toBe(true)
    expect(paid).toMatchObject({
      state: 'paid',
      amount,
      reason: 'underpaid',
      paid_hash: 'the-hash-that-paid',
    })
    expect((await listRefunds(app)).data).toEqual([])
    expect((await listRefunds(app, { state: 'all' })).data).toEqual([paid])
    expect(await balances()).toEqual({
      refunds: '0',
      paidOut: amount,
      received: '0',
      uncovered: '0',
    })
    expect(await refundCounts(app)).toEqual({ open: 0, promised: 0, paid: 1, uncovered: 0 })
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'failed',
      status_reason: 'underpaid',
    })
    await sendMails(app.services)
    const mail = app.mailbox.taken.findLast(({ to }) => to === buyer.email)
    expect(mail?.subject).toBe(`${amount} ETH of your HUH purchase has been paid back to you`)
    expect(mail?.text).toContain('the-hash-that-paid')
    expect(await mailsOf(app, purchase)).toContain('purchase_refund_paid')
  })

  test('stays paid when the purchase is settled again', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    await payRefund(app, receiptId, 'the-hash-that-paid')
    await settleAgain(app, purchase)
    expect((await listRefunds(app)).data).toEqual([])
    expect(await balances()).toMatchObject({ refunds: '0', paidOut: part(purchase, 0.05) })
    expect((await mailsOf(app, purchase)).filter((kind) => kind.includes('refund'))).toEqual([
      'purchase_refund_paid',
    ])
  })

  test('buys nothing when more money comes late: only that is credited', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    await payRefund(app, receiptId, 'the-hash-that-paid')
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    const credited = await lookAt(app, buyer, purchase)
    expect(credited.status).toBe('completed')
    expect(credited.actual_purchase_amount_crypto).toBe(Number(part(purchase, 0.5)))
    expect((await listRefunds(app)).data).toEqual([])
  })

  test('recorded twice is one payment', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const first = await payRefund(app, receiptId, 'the-hash-that-paid')
    const again = await payRefund(app, receiptId, 'the-hash-that-paid')
    expect(again).toEqual(first)
    expect(await balances()).toMatchObject({ paidOut: part(purchase, 0.05) })
    const other = await tryToPay(app, receiptId, 'another-hash')
    expect(other.refusal).toMatchObject({ code: 409, reason: 'RefundNotOwed' })
  })

  test('needs a hash of its own, unless it is marked as shared by several', async () => {
    const [one, other, third] = await owedPurchases(app, buyer, 3)
    await payRefund(app, one?.receiptId ?? '', 'the-hash-that-paid')
    const refused = await tryToPay(app, other?.receiptId ?? '', 'the-hash-that-paid')
    expect(refused.refusal).toMatchObject({ code: 409, reason: 'HashUsed' })
    expect(refused.refusal.message).toContain('say that it is shared')
    for (const { receiptId } of [other, third].flatMap((owed) => owed ?? [])) {
      const paid = await payRefund(app, receiptId, 'the-hash-that-paid', { shared: true })
      expect(paid.state).toBe('paid')
    }
    expect(await refundCounts(app)).toEqual({ open: 0, promised: 0, paid: 3, uncovered: 0 })
  })

  test('refuses a hash that was first marked as shared and then is not', async () => {
    const [one, other] = await owedPurchases(app, buyer, 2)
    await payRefund(app, one?.receiptId ?? '', 'the-hash-that-paid', { shared: true })
    const refused = await tryToPay(app, other?.receiptId ?? '', 'the-hash-that-paid')
    expect(refused.refusal.reason).toBe('HashUsed')
  })

  test('refuses the hash by which the money came', async () => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    const [refund] = (await listRefunds(app)).data
    const reply = await tryToPay(app, receiptId, refund?.receipt_hash ?? '')
    expect(reply.refusal).toMatchObject({ code: 409, reason: 'HashUsed' })
    expect(reply.refusal.message).toMatch(/^This is the transaction by which the money arrived/)
  })

  test('compares what was sent with what is owed, where the amount is given', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const amount = part(purchase, 0.05)
    for (const sent of [`${amount}1`, '1', '0']) {
      const reply = await tryToPay(app, receiptId, 'the-hash-that-paid', { amount: sent })
      expect(reply.refusal).toMatchObject({ code: 409, reason: 'RefundChanged' })
      expect(reply.refusal.message).toContain(`${amount} is owed for this receipt, not ${sent}`)
    }
    const paid = await payRefund(app, receiptId, 'the-hash-that-paid', { amount: `${amount}0` })
    expect(paid.state).toBe('paid')
  })

  test('is refused for money that bought tokens, and for what is not there', async () => {
    const bought = await buyAndPay(app, buyer)
    const notOwed = await tryToPay(app, bought.receipts[0]?.id ?? '', 'the-hash-that-paid')
    expect(notOwed.refusal).toMatchObject({ code: 409, reason: 'RefundNotOwed' })
    for (const id of ['x', '00000000-0000-8000-8000-000000000000']) {
      const reply = await tryToPay(app, id, 'the-hash-that-paid')
      expect(reply.refusal).toMatchObject({
        code: 404,
        message: 'There is no receipt with this id',
      })
    }
  })

  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['no hash', {}, named, 'hash'],
    ['an empty hash', { hash: '' }, named, 'hash'],
    ['a hash that is none', { hash: 'no hash' }, named, 'hash'],
    ['no amount', { hash: 'the-hash-that-paid', amount: '-1' }, named, 'amount'],
    ['another field', { hash: 'the-hash-that-paid', who: 'me' }, named, 'who'],
    ['nobody who says so', { hash: 'the-hash-that-paid' }, {}, 'operator-name'],
    [
      'a name without letters',
      { hash: 'the-hash-that-paid' },
      { 'operator-name': ' ' },
      'operator-name',
    ],
  ])('with %s is refused there', async (_, body, headers, path) => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    const input = { params: { id: receiptId }, headers, body }
    const reply = await app.client.callWith(operatorContract.payRefund, input, operator)
    expect(reply.refusal.errors?.map((error) => error.path)).toEqual([path])
    expect((await listRefunds(app)).data).toHaveLength(1)
  })

  test('of a surplus leaves the purchase as it is, overpaid and completed', async () => {
    const purchase = await aPurchase(app, buyer, { usd: 100_000 })
    await pay(app, purchase, part(purchase, 1.5))
    await mine(app, 2)
    const before = await lookAt(app, buyer, purchase)
    expect(before).toMatchObject({ status: 'completed', status_reason: 'overpaid' })
    const [refund] = (await listRefunds(app)).data
    expect(refund?.reason).toBe('overpaid')
    await payRefund(app, refund?.receipt_id ?? '', 'the-hash-that-paid')
    await settleAgain(app, purchase)
    const paid = { status: 'paid', transaction_hash: 'the-hash-that-paid', is_claimable: false }
    expect(await lookAt(app, buyer, purchase)).toEqual({
      ...before,
      refunds: before.refunds.map((due) => ({ ...due, ...paid, sent_amount: due.amount })),
    })
  })
})

test('while a purchase is held, no refund of it is paid or waits for that', async () => {
  const purchase = await aPurchase(app, buyer)
  await payInWrongCoin(app, purchase)
  await mine(app, 2)
  const [owed] = (await listRefunds(app)).data
  const receiptId = owed?.receipt_id ?? ''
  expect(owed).toMatchObject({ reason: 'wrong_asset', is_held: false })
  const input = { params: { id: purchase.id }, headers: named, body: { reason: 'A look' } }
  await app.client.call(operatorContract.holdPurchase, input, operator)
  expect((await listRefunds(app)).data).toMatchObject([{ receipt_id: receiptId, is_held: true }])
  const message = 'Its purchase is held, so nothing of it is paid back. Release it or fail it first'
  expect(await tryToPay(app, receiptId, 'went-back')).toMatchObject({
    status: 409,
    refusal: { reason: 'RefundNotOwed', message },
  })
  const inbox = await app.client.call(consoleContract.listInbox, { query: {} }, operator)
  expect(inbox.body.data.map(({ kind }) => kind).filter((kind) => kind !== 'feed')).toEqual([
    'held',
  ])
  await app.client.call(operatorContract.failPurchase, input, operator)
  expect((await listRefunds(app)).data).toMatchObject([{ is_held: false }])
  expect(await payRefund(app, receiptId, 'went-back')).toMatchObject({ state: 'paid' })
})

describe('a receipt that goes after its refund was paid', () => {
  test('leaves a loss in the books, which is reported, until it is back', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const amount = part(purchase, 0.05)
    await payRefund(app, receiptId, 'the-hash-that-paid')
    await reorganise(app, 3)
    expect(await balances()).toEqual({
      refunds: '0',
      paidOut: amount,
      received: '0',
      uncovered: `-${amount}`,
    })
    expect(await refundCounts(app)).toEqual({ open: 0, promised: 0, paid: 0, uncovered: 1 })
    expect((await listRefunds(app)).data).toEqual([])
    expect((await listRefunds(app, { state: 'all' })).data).toMatchObject([
      { state: 'uncovered', amount, paid_hash: 'the-hash-that-paid' },
    ])
    await expectInvariants(app)

    await bringBack()
    expect(await balances()).toEqual({
      refunds: '0',
      paidOut: amount,
      received: '0',
      uncovered: '0',
    })
    expect(await refundCounts(app)).toEqual({ open: 0, promised: 0, paid: 1, uncovered: 0 })
    expect((await listRefunds(app)).data).toEqual([])
  })

  test('that was not paid leaves the list', async () => {
    await anOwedPurchase(app, buyer)
    await reorganise(app, 3)
    expect(await listRefunds(app, { state: 'all' })).toEqual({
      data: [],
      after: null,
      owed: [],
      counts: { open: 0, promised: 0, paid: 0, uncovered: 0 },
      unmatched: 0,
    })
    await bringBack()
    expect((await listRefunds(app)).data).toMatchObject([{ state: 'open' }])
  })

  test('does not let a surplus that was paid back buy what the rest no longer pays', async () => {
    const purchase = await aPurchase(app, buyer, { usd: 100_000 })
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    await pay(app, purchase, part(purchase, 1))
    await mine(app, 2)
    const [refund] = (await listRefunds(app)).data
    await payRefund(app, refund?.receipt_id ?? '', 'the-hash-that-paid')
    const paidBack = refund?.amount ?? ''
    await reorganise(app, 3)
    await passExpiry(app)
    const left = await lookAt(app, buyer, purchase)
    expect(left.actual_purchase_amount_crypto).toBe(Number(part(purchase, 0.5)))
    expect(await balance('uncovered:eth')).toBe(`-${paidBack}`)
  })
})

describe('the books', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a payment that the ledger does not have',
      async () => {
        await sql`alter table refund_payments disable trigger append_only`.execute(
          app.open.database,
        )
        await sql`update refund_payments set amount = amount + 1`.execute(app.open.database)
      },
      /\d+ eth in paid_out:eth by the ledger, and \d+ by what is known of it/,
    ],
    [
      'a refund that is owed again',
      async () => {
        await sql`
          insert into refunds_due (receipt_id, purchase_id, amount, why, since)
          select receipt_id, purchase_id, amount, why, owed_since
          from refund_payments`.execute(app.open.database)
      },
      /^Purchase .* received \d+, and credited 0, owes \d+ and has paid back \d+/,
    ],
  ])('report %s', async (_, damage, fault) => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    await payRefund(app, receiptId, 'the-hash-that-paid')
    await damage()
    const broken = await app.client.call(operatorContract.resumeSale, { body: {} }, operator)
    expect(broken.refusal.reason).toBe('BooksDisagree')
    expect(app.complaints.splice(0)).toHaveLength(1)
    const faults = broken.refusal.message.replace(/^The books of the sale do not agree: /, '')
    expect(faults.split('. ').some((sentence) => fault.test(sentence))).toBe(true)
    // Nothing else is to be checked of what was damaged on purpose.
    await sql`truncate refunds_due`.execute(app.open.database)
    await sql`alter table refund_payments disable trigger append_only`.execute(app.open.database)
    await sql`
      update refund_payments set amount = (
        select sum(amount) from ledger_transfers where destination = 'paid_out:eth'
      )`.execute(app.open.database)
    await sql`alter table refund_payments enable trigger append_only`.execute(app.open.database)
  })

  test('refuse to change or delete a payment', async () => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    await payRefund(app, receiptId, 'the-hash-that-paid')
    for (const change of [
      'update refund_payments set amount = 1',
      'delete from operator_actions',
    ]) {
      await expect(sql.raw(change).execute(app.open.database)).rejects.toThrow(/append-only/)
    }
  })
})

test('the buyer’s export contains the refund and its payment', async () => {
  const { purchase, receiptId } = await anOwedPurchase(app, buyer)
  await payRefund(app, receiptId, 'the-hash-that-paid')
  const input = { params: { id: buyer.user.id } }
  const { body } = await app.client.call(ownExportContract.exportUser, input, buyer.as)
  expect(body.refunds).toEqual([])
  expect(body.refund_payments).toMatchObject([
    { transaction_id: purchase.id, receipt_id: receiptId, hash: 'the-hash-that-paid' },
  ])
  expect(body.operator_actions).toMatchObject([{ act: 'payRefund', transaction_id: purchase.id }])
})
