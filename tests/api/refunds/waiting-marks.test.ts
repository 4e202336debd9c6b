import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { approvalsContract } from '#contract/operator/approvals.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { parseDecimal, usd, USD_DECIMALS } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { requestSettlements } from '#server/database/purchases/purchases.ts'
import { APPROVAL_TTL_MS } from '#server/use-cases/approvals/require-approval.ts'
import { expireApprovals } from '#server/use-cases/approvals/decide-approval.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectAllWell,
  lookAt,
  mailsOf,
  mine,
  part,
  pay,
  payInWrongCoin,
  quickSale,
  reorganise,
  settleAgain,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  type OwedPurchase,
  tryToPay,
} from '#tests/kit/builders/an-operator.ts'
import { aColleague, type OperatorPerson, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/**
 * Everything above four dollars takes two; what is owed in these tests is five or more. Nobody buys
 * for more than $100.
 */
const strictSale = (sale: Sale): Sale => {
  const { stages, ...quick } = quickSale(sale)
  return {
    ...quick,
    stages: stages.map((stage) => ({ ...stage, maxUsd: usd(100_000_000n) })),
    approvals: { ...sale.approvals, refundOver: usd(4_000_000n) },
  }
}

const HASH = 'the-hash-that-paid'

let app: TestApp
let buyer: RegisteredUser
let owed: OwedPurchase
let ada: OperatorPerson
let bob: OperatorPerson
beforeEach(async () => {
  app = await startApp({ changeSale: strictSale })
  buyer = await aUser(app)
  owed = await anOwedPurchase(app, buyer)
  ada = await aColleague(app, 'Ada')
  bob = await aColleague(app, 'Bob')
})
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

const tryToMark = (as: CallOptions, hash = HASH) => {
  const input = { params: { id: owed.receiptId }, headers: {}, body: { hash } }
  return app.client.call(operatorContract.payRefund, input, as)
}

/** Ada has sent the money, and marks it as paid. */
const markAsPaid = async (hash = HASH) => waitOf(await tryToMark(ada.as, hash))

const approve = async ({ id, hash }: { id: string; hash: string }) =>
  (await app.client.call(approvalsContract.approveAct, { params: { id }, body: { hash } }, bob.as))
    .body

async function end(how: 'refused' | 'withdrawn' | 'expired', { id }: { id: string }) {
  const [input, body] = [{ params: { id } }, { reason: 'It is not on the chain' }]
  if (how === 'refused') {
    await app.client.call(approvalsContract.refuseAct, { ...input, body }, bob.as)
  } else if (how === 'withdrawn') {
    await app.client.call(approvalsContract.withdrawAct, input, ada.as)
  } else {
    await app.passTime(APPROVAL_TTL_MS)
    await refreshPrices(app.services)
    await expireApprovals(app.services)
  }
  await watchChains(app.services)
}

/** Half of what was due comes late, and would be credited with what came before. */
async function payLate() {
  await pay(app, owed.purchase, part(owed.purchase, 0.5))
  await mine(app, 2)
}

/** What was credited of the purchase, as a share of what was due; its buyer may be logged out. */
async function credited(): Promise<number> {
  const { credited_crypto: got, crypto_due: due } = await app.open.database
    .selectFrom('purchases')
    .select(['credited_crypto', 'crypto_due'])
    .where('id', '=', owed.purchase.id)
    .executeTakeFirstOrThrow()
  return Number((got * 1000n) / due) / 1000
}

async function inbox(as: CallOptions = operator) {
  return (await app.client.call(consoleContract.listInbox, { query: {} }, as)).body.data
}
const kinds = async () => (await inbox()).map(({ kind }) => kind)

const mark = (call: 'holdPurchase' | 'failPurchase' | 'releasePurchase') =>
  app.client.call(
    operatorContract[call],
    { params: { id: owed.purchase.id }, headers: named, body: { reason: 'Look into it' } },
    operator,
  )

describe('a refund that was sent by hand and waits for a second person', () => {
  test('buys nothing when more money comes late, and is paid once that person approves', async () => {
    const waiting = await markAsPaid()
    await payLate()
    expect(await lookAt(app, buyer, owed.purchase)).toMatchObject({
      status: 'completed',
      status_reason: 'late',
    })
    expect(await credited()).toBe(0.5)
    expect((await listRefunds(app)).data).toMatchObject([
      { state: 'open', amount: part(owed.purchase, 0.05), reason: 'underpaid' },
    ])
    expect(await approve(waiting)).toMatchObject({ state: 'done' })
    expect(await credited()).toBe(0.5)
    expect((await listRefunds(app, { state: 'all' })).data).toMatchObject([
      { state: 'paid', amount: part(owed.purchase, 0.05), reason: 'underpaid', paid_hash: HASH },
    ])
    expect(await kinds()).toEqual([])
    expect(await mailsOf(app, owed.purchase)).toContain('purchase_refund_paid')
  })

  test('is credited with late money once that person refuses, and the inbox tells what was said', async () => {
    const waiting = await markAsPaid()
    await payLate()
    await end('refused', waiting)
    expect(await credited()).toBe(0.55)
    expect((await listRefunds(app)).data).toEqual([])
    const [item] = await inbox()
    expect(item).toMatchObject({ kind: 'sent_not_owed', purchase_id: owed.purchase.id })
    expect(item?.detail).toContain(`${part(owed.purchase, 0.05)} ETH`)
    expect(item?.detail).toContain(`by ${HASH}`)
    expect(item?.detail).toContain('Ada asked')
    const body = { kind: 'sent_not_owed' as const, id: item?.id ?? '', reason: 'It was not sent' }
    await app.client.call(consoleContract.closeInboxItem, { body }, bob.as)
    expect(await kinds()).toEqual([])
  })

  test.each(['withdrawn', 'expired'] as const)(
    'is credited with late money once the mark is %s',
    async (how) => {
      const waiting = await markAsPaid()
      await payLate()
      expect(await credited()).toBe(0.5)
      await end(how, waiting)
      expect(await credited()).toBe(0.55)
      expect(await kinds()).toEqual(['sent_not_owed'])
    },
  )

  test('stays owed while its purchase is held, and is only then paid', async () => {
    const waiting = await markAsPaid()
    await payLate()
    await mark('holdPurchase')
    expect(await lookAt(app, buyer, owed.purchase)).toMatchObject({ status_reason: 'held' })
    expect((await listRefunds(app)).data).toMatchObject([{ state: 'open', is_held: true }])
    expect(await approve(waiting)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is held'),
    })
    await watchChains(app.services)
    expect(await kinds()).toEqual(['held'])
    await mark('failPurchase')
    expect(await approve(await markAsPaid())).toMatchObject({ state: 'done' })
    expect(await kinds()).toEqual(['refund'])
  })

  test('buys nothing either once its payment is back after a reorganisation', async () => {
    await markAsPaid()
    await payLate()
    for (const is_gone of [true, false]) {
      await app.open.database.transaction().execute(async (transaction) => {
        const receipts = transaction.updateTable('receipts').set({ is_gone })
        await receipts.where('id', '=', owed.receiptId).execute()
        await requestSettlements(transaction, [owed.purchase.id])
      })
      await settleDue(app.services)
    }
    expect(await credited()).toBe(0.5)
    expect((await listRefunds(app)).data).toMatchObject([
      { state: 'open', amount: part(owed.purchase, 0.05), reason: 'underpaid' },
    ])
  })

  test('is in the inbox if its payment has gone by the time that it is decided', async () => {
    const waiting = await markAsPaid()
    await reorganise(app, 20)
    expect(await approve(waiting)).toMatchObject({
      state: 'failed',
      reason: 'Nothing is owed back for this receipt',
    })
    expect(await kinds()).toEqual(['sent_not_owed'])
  })
})

describe('a surplus that was sent back by hand', () => {
  beforeEach(async () => {
    const purchase = await aPurchase(app, buyer)
    owed = { purchase, receiptId: await pay(app, purchase, part(purchase, 1.5)) }
    await mine(app, 2)
    expect(await credited()).toBe(1)
  })

  const refundsOfIt = async () =>
    (await listRefunds(app, { state: 'all' })).data
      .filter(({ receipt_id: id }) => id === owed.receiptId)
      .map(({ state, amount, paid_hash: hash }) => ({ state, amount, hash }))

  test('is marked anew only once its mark is withdrawn, and is paid once', async () => {
    const wrong = await markAsPaid('a-mistyped-hash')
    const carl = await aColleague(app, 'Carl')
    for (const reply of [
      await tryToMark(ada.as),
      await tryToMark(carl.as, 'a-mistyped-hash'),
      await tryToPay(app, owed.receiptId, HASH),
    ]) {
      expect(reply).toMatchObject({
        status: 409,
        refusal: {
          reason: 'RefundClaimed',
          message:
            'Ada has already asked to mark this as paid, by a-mistyped-hash. Have that approved; ' +
            'or withdrawn or refused, and mark it again',
        },
      })
    }
    expect((await markAsPaid('a-mistyped-hash')).id).toBe(wrong.id)
    await end('withdrawn', wrong)
    expect(await approve(await markAsPaid())).toMatchObject({ state: 'done' })
    await settleAgain(app, owed.purchase)
    expect(await credited()).toBe(1)
    const amount = part(owed.purchase, 0.5)
    expect(await refundsOfIt()).toEqual([{ state: 'paid', amount, hash: HASH }])
  })

  test('is paid once although a mark of it is over and not closed yet', async () => {
    await markAsPaid('a-mistyped-hash')
    await app.passTime(APPROVAL_TTL_MS)
    await refreshPrices(app.services)
    expect((await tryToPay(app, owed.receiptId, HASH)).status).toBe(200)
    await settleAgain(app, owed.purchase)
    expect(await credited()).toBe(1)
    const amount = part(owed.purchase, 0.5)
    expect(await refundsOfIt()).toEqual([{ state: 'paid', amount, hash: HASH }])
    expect(await mailsOf(app, owed.purchase)).not.toContain('purchase_reversed')
  })

  test('and the rest of its payment that was sent later buy nothing while that waits', async () => {
    expect((await tryToPay(app, owed.receiptId, 'sent-the-surplus')).status).toBe(200)
    await app.passTime(1_000)
    await mark('failPurchase')
    await markAsPaid('sent-the-rest')
    await mark('releasePurchase')
    expect(await credited()).toBe(0)
    expect(await refundsOfIt()).toEqual([
      { state: 'paid', amount: part(owed.purchase, 0.5), hash: 'sent-the-surplus' },
      { state: 'open', amount: part(owed.purchase, 1), hash: null },
    ])
  })
})

test('a mark of exactly the amount above which two are needed does not wait', async () => {
  const waiting = await markAsPaid()
  await end('withdrawn', waiting)
  const { sale } = app.services
  const refundOver = usd(parseDecimal(waiting.amount_fiat ?? '', USD_DECIMALS) ?? 0n)
  app.services.sale = { ...sale, approvals: { ...sale.approvals, refundOver } }
  expect((await tryToMark(ada.as)).status).toBe(200)
})

test('a mark of a coin that has no price at its purchase waits, whatever it is worth', async () => {
  const purchase = await aPurchase(app, buyer)
  await payInWrongCoin(app, purchase)
  await mine(app, 2)
  const { data } = await listRefunds(app)
  const receiptId = data.find(({ reason }) => reason === 'wrong_asset')?.receipt_id ?? ''
  const input = { params: { id: receiptId }, headers: {}, body: { hash: HASH } }
  const asked = await app.client.call(operatorContract.payRefund, input, ada.as)
  expect(waitOf(asked)).toMatchObject({ act: 'payRefund', about: receiptId, amount_fiat: null })
})

test('a mark that has ended stays in the inbox when late money takes the debt away', async () => {
  await end('expired', await markAsPaid())
  expect(await kinds()).toEqual(['refund'])
  await payLate()
  expect(await credited()).toBe(0.55)
  expect(await kinds()).toEqual(['sent_not_owed'])
})
