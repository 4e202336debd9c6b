import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvalsContract } from '#contract/operator/approvals.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { ALL, usd } from '#domain/money.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { undoClosedSale } from '#server/use-cases/reversals/close-sale.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectInvariants,
  lookAt,
  mailsOf,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
  refundsOf,
} from '#tests/kit/builders/a-purchase.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { freeze, passEnd, snapshotsOf, tryToFreeze } from '#tests/kit/delivery/frozen-sale.ts'
import { aColleague, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { keepTime, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000
const DOLLAR = 10n ** 6n
const STAGE_MS = 5 * 60_000

let app: TestApp
let buyer: RegisteredUser

/** One stage that ends after five minutes, and a soft cap in dollars. */
const cappedSale =
  (cap: bigint) =>
  (sale: Sale): Sale => {
    const [first] = sale.stages
    if (first === undefined) throw new Error('The sale has no stage.')
    const startsAt = new Date(Date.now() - DAY_MS)
    const endsAt = new Date(Date.now() + STAGE_MS)
    return {
      ...quickSale(sale),
      softCap: usd(cap * DOLLAR),
      stages: [{ ...first, startsAt, endsAt }],
    }
  }

beforeEach(async () => {
  app = await startApp({ changeSale: cappedSale(1_000n) })
  buyer = await aUser(app)
})
afterEach(async () => {
  await expectInvariants(app)
  await app.close()
})

const close = (as: CallOptions = operator) =>
  app.client.call(
    operatorContract.closeSale,
    { headers: named, body: { reason: 'Too few took part' } },
    as,
  )
const softCap = async () =>
  (await app.client.call(operatorContract.getSaleState, {}, operator)).body.soft_cap

describe('a sale that ends below its soft cap', () => {
  test('owes everything back once an operator has closed it', async () => {
    const other = await aUser(app)
    const purchase = await buyAndPay(app, buyer, { usd: 300 })
    const second = await buyAndPay(app, other, { usd: 200 })
    const late = await aPurchase(app, other)
    await passExpiry(app)
    expect((await close()).refusal.message).toContain('has not ended')
    await app.passTime(2 * STAGE_MS)
    expect((await close()).body).toMatchObject({
      status: 'ENDED',
      soft_cap: { amount_fiat: '1000' },
    })
    expect((await close()).body.soft_cap?.closed_date).not.toBeNull()
    await undoClosedSale(app.services)
    await undoClosedSale(app.services)
    for (const [who, whose] of [
      [buyer, purchase],
      [other, second],
    ] as const) {
      expect(await balanceOf(app, who)).toBe(0)
      expect(await refundsOf(app, whose)).toMatchObject([{ why: 'soft_cap' }])
      const kinds = await mailsOf(app, whose)
      expect(kinds.filter((kind) => kind === 'purchase_failed')).toHaveLength(1)
    }
    expect(await lookAt(app, other, second)).toMatchObject({
      status: 'failed',
      status_reason: 'soft_cap',
    })
    await pay(app, late)
    await mine(app, 2)
    await undoClosedSale(app.services)
    expect(await refundsOf(app, late)).toMatchObject([{ why: 'late' }])
    const resumed = await app.client.call(
      operatorContract.resumeSale,
      { body: { force: false } },
      operator,
    )
    expect(resumed.refusal.reason).toBe('SaleClosed')
  })

  test('has ended for good once it is closed, though its last stage has tokens again', async () => {
    await app.close()
    app = await startApp({
      changeSale: (sale) => {
        const capped = smallStages({ endsAt: null })(cappedSale(1_000n)(sale))
        // Half of its tokens are bonuses.
        const stages = capped.stages.slice(0, 1).map((stage) => {
          return { ...stage, bonuses: { ...stage.bonuses, base: ALL } }
        })
        return { ...capped, stages }
      },
    })
    buyer = await aUser(app)
    await buyAndPay(app, buyer, { usd: 500 })
    expect((await close()).status).toBe(200)
    await undoClosedSale(app.services)
    expect(await balanceOf(app, buyer)).toBe(0)
    const active = await app.client.call(saleContract.getActiveStage, {})
    expect(active.refusal.reason).toBe('SaleEnded')
    const state = await app.client.call(operatorContract.getSaleState, {}, operator)
    expect(state.body).toMatchObject({ status: 'ENDED', stage: null })
  })

  test('asks nobody to resume it once it is closed, which is always refused', async () => {
    await buyAndPay(app, buyer, { usd: 300 })
    await app.passTime(2 * STAGE_MS)
    await passExpiry(app)
    const kinds = async () => {
      const inbox = await app.client.call(consoleContract.listInbox, { query: {} }, operator)
      const { body: metrics } = await app.app.inject({ url: '/metrics' })
      return {
        inbox: inbox.body.data.map(({ kind }) => kind),
        undecided: (await snapshotsOf(app)).undecided.map(({ kind }) => kind),
        paused: /^sale_paused\S* (\d)$/m.exec(metrics)?.[1],
      }
    }
    const pause = { headers: named, body: { reason: 'A look' } }
    await app.client.call(operatorContract.pauseSale, pause, operator)
    const before = await kinds()
    expect(before.inbox).toContain('pause')
    expect(before.undecided).toContain('pause')
    expect(before.paused).toBe('1')
    expect((await close()).status).toBe(200)
    await undoClosedSale(app.services)
    await app.passTime(2_000)
    const after = await kinds()
    expect(after.inbox).not.toContain('pause')
    expect(after.undecided).not.toContain('pause')
    expect(after.paused).toBe('0')
  })

  test('is not frozen while purchases are being undone, and afterwards nobody owns anything', async () => {
    await buyAndPay(app, buyer, { usd: 300 })
    await buyAndPay(app, await aUser(app), { usd: 200 })
    await passEnd(app)
    expect((await close()).status).toBe(200)
    await inspectInvariants(app.services)
    expect((await snapshotsOf(app)).undecided).toMatchObject([{ kind: 'soft_cap', count: 2 }])
    expect((await tryToFreeze(app)).refusal.message).toContain(
      '2 purchases of the closed sale still have to be undone. Wait a minute',
    )
    await undoClosedSale(app.services)
    await inspectInvariants(app.services)
    expect((await snapshotsOf(app)).undecided).toEqual([])
    expect((await tryToFreeze(app)).refusal.message).toContain('Nobody owns any tokens')
  })

  test('is not closed while money may still come, and always by two people', async () => {
    await buyAndPay(app, buyer, { usd: 300 })
    const owner = await aColleague(app, 'Ada', 'owner')
    const second = await aColleague(app, 'Bob', 'owner')
    const finance = await aColleague(app, 'Carl', 'finance')
    await app.passTime(STAGE_MS - 20_000)
    await refreshPrices(app.services)
    const open = await aPurchase(app, await aUser(app))
    await pay(app, open, part(open, 0.5))
    await app.passTime(21_000)
    expect((await close()).refusal.message).toContain('One purchase still waits')
    await mine(app, 2)
    await passExpiry(app)
    expect((await close(finance.as)).refusal.reason).toBe('PermissionMissing')
    const { id, hash } = waitOf(await close(owner.as))
    expect((await softCap())?.closed_date).toBeNull()
    const input = { params: { id }, body: { hash } }
    const own = await app.client.call(approvalsContract.approveAct, input, owner.as)
    expect(own.refusal.reason).toBe('OwnApproval')
    const approved = await app.client.call(approvalsContract.approveAct, input, second.as)
    expect(approved.body).toMatchObject({ state: 'done' })
    expect((await softCap())?.closed_date).not.toBeNull()
  })

  test('is not closed by an approval of another sum', async () => {
    const { id: purchase } = await buyAndPay(app, buyer, { usd: 300 })
    const owner = await aColleague(app, 'Ada', 'owner')
    const second = await aColleague(app, 'Bob', 'owner')
    await app.passTime(2 * STAGE_MS)
    const { id, hash } = waitOf(await close(owner.as))
    const failed = { params: { id: purchase }, headers: named, body: { reason: 'A mistake' } }
    await app.client.call(operatorContract.failPurchase, failed, operator)
    const input = { params: { id }, body: { hash } }
    const approved = await app.client.call(approvalsContract.approveAct, input, second.as)
    expect(approved.body).toMatchObject({
      state: 'failed',
      reason: '$0 has been raised by now, not $300',
    })
    expect((await softCap())?.closed_date).toBeNull()
  })

  test('is not closed by an instance that does not follow the file by which it goes on', async () => {
    await buyAndPay(app, buyer, { usd: 300 })
    const owner = await aColleague(app, 'Ada', 'owner')
    const second = await aColleague(app, 'Bob', 'owner')
    await app.passTime(2 * STAGE_MS)
    await passExpiry(app)
    const { id, hash } = waitOf(await close(owner.as))
    const fault = { line: 1, column: 1, path: 'project', message: 'expected a picture' }
    app.services.saleFiles.read = () => ({ ok: false, faults: [fault] })
    const later = await startApp({
      open: app.open,
      changeSale: (sale) => {
        const capped = cappedSale(1_000n)(sale)
        const endsAt = new Date(Date.now() + DAY_MS)
        return { ...capped, stages: capped.stages.map((stage) => ({ ...stage, endsAt })) }
      },
    })
    await keepTime(app, later)
    const input = { params: { id }, body: { hash } }
    const approved = await app.client.call(approvalsContract.approveAct, input, second.as)
    expect(approved.body.state).toBe('approved')
    expect((await softCap())?.closed_date).toBeNull()
    await later.passTime(60_000)
    await carryOutApproved(later.services)
    const { body } = await later.client.call(
      approvalsContract.listApprovals,
      { query: {} },
      operator,
    )
    expect(body.data).toMatchObject([
      { id, state: 'failed', reason: expect.stringContaining('has not ended') as string },
    ])
    await later.close()
  })

  test('is not closed while more money for a completed purchase waits for its confirmations', async () => {
    const purchase = await aPurchase(app, buyer, { usd: 950 })
    await pay(app, purchase)
    await mine(app, 2)
    await app.passTime(STAGE_MS - 20_000)
    await refreshPrices(app.services)
    await pay(app, purchase, part(purchase, 0.1))
    await app.passTime(2 * STAGE_MS)
    await passExpiry(app)
    const { message } = (await close()).refusal
    expect(message).toContain(`One purchase still waits`)
    expect(message).toContain(purchaseNumber(purchase.id))
    await mine(app, 2)
    expect((await close()).refusal.message).toContain('is reached')
  })

  test('is not closed while a refund waits to be marked as paid whose money would count', async () => {
    await app.close()
    app = await startApp({
      changeSale: (sale) => ({
        ...cappedSale(1_000n)(sale),
        approvals: { ...sale.approvals, refundOver: usd(1n) },
      }),
    })
    buyer = await aUser(app)
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const purchase = await aPurchase(app, buyer, { usd: 1_000 })
    const receiptId = await pay(app, purchase)
    await mine(app, 2)
    const marked = { params: { id: purchase.id }, headers: named, body: { reason: 'A mistake' } }
    await app.client.call(operatorContract.failPurchase, marked, operator)
    const sent = { params: { id: receiptId }, headers: {}, body: { hash: 'the-hash-that-paid' } }
    const { id } = waitOf(await app.client.call(operatorContract.payRefund, sent, ada.as))
    await app.client.call(operatorContract.releasePurchase, marked, operator)
    await app.passTime(2 * STAGE_MS)
    await passExpiry(app)
    expect((await close()).refusal.message).toContain(
      'One refund that was marked as paid waits for a second person',
    )
    const refused = { params: { id }, body: { reason: 'It was never sent' } }
    await app.client.call(approvalsContract.refuseAct, refused, bob.as)
    await watchChains(app.services)
    expect((await close()).refusal.message).toContain('is reached')
  })

  test('is closed while a payment waits that no block takes, once its purchase is held', async () => {
    const paid = await buyAndPay(app, buyer, { usd: 300 })
    const late = await aPurchase(app, await aUser(app))
    await pay(app, late)
    await watchChains(app.services)
    await app.passTime(2 * STAGE_MS)
    await passExpiry(app)
    const { refusal } = await close()
    expect(refusal.message).toContain(`: ${purchaseNumber(late.id)}. Wait until`)
    expect(refusal.message).toContain('If no block takes a payment, hold its purchase')
    const hold = { params: { id: late.id }, headers: named, body: { reason: 'No block takes it' } }
    await app.client.call(operatorContract.holdPurchase, hold, operator)
    expect((await close()).status).toBe(200)
    await undoClosedSale(app.services)
    expect(await refundsOf(app, paid)).toMatchObject([{ why: 'soft_cap' }])
    await app.client.call(operatorContract.releasePurchase, hold, operator)
    await mine(app, 2)
    await undoClosedSale(app.services)
    expect(await refundsOf(app, late)).toHaveLength(1)
  })

  test('is not closed once a snapshot says who owns the tokens', async () => {
    const { id } = await buyAndPay(app, buyer, { usd: 1_000 })
    await buyAndPay(app, await aUser(app), { usd: 300 })
    await passEnd(app)
    await freeze(app)
    const reason = { reason: 'The payment was disputed' }
    await app.client.call(
      operatorContract.failPurchase,
      { params: { id }, headers: named, body: reason },
      operator,
    )
    const { refusal } = await close()
    expect(refusal.message).toContain('Snapshot 1 says who owns the tokens')
    expect((await softCap())?.closed_date).toBeNull()
  })

  test('is not closed where it is reached, or where there is none', async () => {
    await buyAndPay(app, buyer, { usd: 1_000 })
    await app.passTime(2 * STAGE_MS)
    expect((await close()).refusal.message).toContain('is reached')
    await app.close()
    app = await startApp()
    expect((await close()).refusal.message).toContain('names no soft cap')
    expect(await softCap()).toBeNull()
  })
})
