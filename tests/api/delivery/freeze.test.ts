import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { proofContract } from '#contract/delivery/proof.ts'
import { approvalsContract } from '#contract/operator/approvals.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { operatorWalletsContract } from '#contract/operator/people.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { add, usd } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { parseConfig } from '#server/config/config.ts'
import { carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { anApprovedClaim, claim, loggedIn, reject } from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  buyAndPay,
  expectInvariants,
  mine,
  part,
  passExpiry,
  pay,
  settleAgain,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import {
  endingSale,
  freeze,
  giveWallet,
  passEnd,
  receiptsOf,
  snapshotsOf,
  STAGE_MS,
  tryToCorrect,
  tryToFreeze,
} from '#tests/kit/delivery/frozen-sale.ts'
import { walletOf } from '#tests/kit/delivery/a-snapshot.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase, named, operator } from '#tests/kit/builders/an-operator.ts'
import { aColleague, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DAY_MS = 86_400_000

let app: TestApp
let buyer: RegisteredUser
let changed: (sale: Sale) => Sale

async function start(change: (sale: Sale) => Sale = (sale) => sale) {
  changed = change
  app = await startApp({ changeSale: (sale) => changed(endingSale(sale)) })
  buyer = await aUser(app)
}
beforeEach(() => start())
afterEach(async () => {
  await expectInvariants(app)
  await app.close()
})

const kindsOf = async () => {
  await inspectInvariants(app.services)
  return (await snapshotsOf(app)).undecided.map(({ kind }) => kind)
}
const mark = (call: 'holdPurchase' | 'failPurchase' | 'releasePurchase', id: string) =>
  app.client.call(
    operatorContract[call],
    { params: { id }, headers: named, body: { reason: 'To look into it' } },
    operator,
  )
async function changeGatewayFailure({ id }: { id: string }, { hasFailed }: { hasFailed: boolean }) {
  const change = { has_gateway_failed: hasFailed }
  await app.open.database.updateTable('purchases').set(change).where('id', '=', id).execute()
  await settleAgain(app, { id })
}

describe('the books are not closed', () => {
  test('while the sale is on, or a purchase waits for its payment or its confirmations', async () => {
    await buyAndPay(app, buyer)
    expect(await kindsOf()).toEqual(['sale'])
    expect((await tryToFreeze(app)).refusal).toMatchObject({
      reason: 'FreezeRefused',
      message: expect.stringContaining('has not ended'),
    })
    await app.passTime(STAGE_MS - 20_000)
    await refreshPrices(app.services)
    const open = await aPurchase(app, buyer)
    await app.passTime(21_000)
    await refreshPrices(app.services)
    expect(await kindsOf()).toEqual(['unpaid'])
    expect((await tryToFreeze(app)).refusal.message).toContain('One purchase waits for the payment')
    await pay(app, open)
    expect(await kindsOf()).toEqual(['confirming'])
    expect((await tryToFreeze(app)).refusal.message).toContain('confirmations')
    await mine(app, 2)
    expect(await kindsOf()).toEqual([])
    expect((await freeze(app)).leaves).toBe(2)
  })

  test('while more money for a completed purchase waits for its confirmations', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await mine(app, 2)
    await app.passTime(STAGE_MS - 20_000)
    await refreshPrices(app.services)
    await pay(app, purchase, part(purchase, 0.5))
    await passEnd(app)
    expect(await kindsOf()).toEqual(['confirming'])
    expect((await tryToFreeze(app)).refusal.message).toContain(
      `One purchase waits for confirmations: ${purchaseNumber(purchase.id)}. Wait for them`,
    )
    await mine(app, 2)
    expect(await kindsOf()).toEqual([])
    // Nothing is on sale any more, so this can buy nothing.
    await pay(app, purchase, part(purchase, 0.5))
    expect(await kindsOf()).toEqual([])
  })

  test('while a purchase is held, or the sale is paused', async () => {
    const { id } = await buyAndPay(app, buyer)
    await buyAndPay(app, buyer)
    await mark('holdPurchase', id)
    const reason = { reason: 'Something is odd' }
    await app.client.call(operatorContract.pauseSale, { body: reason }, operator)
    await passEnd(app)
    expect(await kindsOf()).toEqual(['pause', 'held'])
    const { message } = (await tryToFreeze(app)).refusal
    expect(message).toContain('Something is odd')
    expect(message).toContain('One purchase is held')
    await mark('releasePurchase', id)
    await app.client.call(operatorContract.resumeSale, { body: { force: false } }, operator)
    expect((await freeze(app)).leaves).toBe(2)
  })

  test('while buyers can withdraw, or those who did are not paid back', async () => {
    await app.close()
    await start((sale) => ({ ...sale, withdrawal: { days: 14 } }))
    const { id, withdrawable_until_date: end } = await buyAndPay(app, buyer)
    await buyAndPay(app, await aUser(app))
    await passEnd(app)
    expect(await kindsOf()).toEqual(['withdrawable'])
    expect((await tryToFreeze(app)).refusal.message).toContain('2 purchases can still be withdrawn')
    const again = { ...buyer, ...(await loggedIn(app, buyer)) }
    const body = { password: buyer.password }
    await app.client.call(
      transactionsContract.withdrawTransaction,
      { params: { id }, body },
      again.as,
    )
    await claim(app, again)
    expect(await kindsOf()).toEqual(['withdrawable', 'refund_claim'])
    // A statement of the last moment may still be being written.
    await app.passTime(Date.parse(end ?? '') - app.clock.now().getTime())
    expect(await kindsOf()).toContain('withdrawable')
    await passEnd(app)
    expect(await kindsOf()).toEqual(['refund_claim'])
    expect((await tryToFreeze(app)).refusal.message).toContain('not paid yet')
  })

  test('while a refund that was sent by hand waits for a second person, who can still refuse', async () => {
    await app.close()
    await start((sale) => ({ ...sale, approvals: { ...sale.approvals, refundOver: usd(1n) } }))
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const sent = { params: { id: receiptId }, headers: {}, body: { hash: 'the-hash-that-paid' } }
    const { id } = waitOf(await app.client.call(operatorContract.payRefund, sent, ada.as))
    const other = await anOwedPurchase(app, buyer)
    const more = { ...sent, params: { id: other.receiptId }, body: { hash: 'another-hash' } }
    expect((await app.client.call(operatorContract.payRefund, more, ada.as)).status).toBe(202)
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    await passEnd(app)
    expect(await kindsOf(), 'nobody gets tokens of what is left unpaid').toEqual(['refund_mark'])
    expect((await tryToFreeze(app)).refusal.message).toContain(
      'One refund that was marked as paid waits for a second person',
    )
    const { owned } = await snapshotsOf(app)
    const refused = { params: { id }, body: { reason: 'It was never sent' } }
    await app.client.call(approvalsContract.refuseAct, refused, bob.as)
    await watchChains(app.services)
    expect(await kindsOf()).toEqual([])
    const { tokens } = await freeze(app)
    expect(Number(tokens)).toBeGreaterThan(Number(owned))
  })

  test('while money that was sent by hand may complete a purchase that was failed and released', async () => {
    await app.close()
    await start((sale) => ({ ...sale, approvals: { ...sale.approvals, refundOver: usd(1n) } }))
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const purchase = await aPurchase(app, buyer)
    const receiptId = await pay(app, purchase)
    await mine(app, 2)
    await mark('holdPurchase', purchase.id)
    await mark('releasePurchase', purchase.id)
    await mark('failPurchase', purchase.id)
    const sent = { params: { id: receiptId }, headers: {}, body: { hash: 'the-hash-that-paid' } }
    const { id } = waitOf(await app.client.call(operatorContract.payRefund, sent, ada.as))
    await passEnd(app)
    expect(await kindsOf()).toEqual([])
    await mark('releasePurchase', purchase.id)
    expect(await kindsOf()).toEqual(['refund_mark'])
    const refused = { params: { id }, body: { reason: 'It was never sent' } }
    await app.client.call(approvalsContract.refuseAct, refused, bob.as)
    await watchChains(app.services)
    expect(await kindsOf()).toEqual([])
    expect((await freeze(app)).leaves).toBe(1)
  })

  test('while a claim is promised whose money buys tokens if it is rejected', async () => {
    await app.close()
    await start((sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({ ...stage, endsAt: new Date(Date.now() + 3 * DAY_MS) })),
    }))
    const { purchase } = await anOwedPurchase(app, buyer)
    await anOwedPurchase(app, await aUser(app))
    const promised = await anApprovedClaim(app, buyer)
    await pay(app, purchase, part(purchase, 0.5))
    await mine(app, 2)
    await app.passTime(2 * DAY_MS)
    await passEnd(app)
    expect(await kindsOf()).toEqual(['refund_claim'])
    expect((await tryToFreeze(app)).refusal.message).toContain('not paid yet. Pay or reject')
    const { owned } = await snapshotsOf(app)
    await reject(app, promised)
    expect(await kindsOf()).toEqual([])
    const { tokens } = await freeze(app)
    expect(Number(tokens)).toBeGreaterThan(Number(owned))
  })

  test('not while a promised claim is only about what was paid too much', async () => {
    await app.close()
    await start((sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({
        ...stage,
        endsAt: new Date(Date.now() + 3 * DAY_MS),
        maxUsd: usd(100_000_000n),
      })),
    }))
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase, part(purchase, 1.5))
    await mine(app, 2)
    const promised = await anApprovedClaim(app, buyer)
    await app.passTime(2 * DAY_MS)
    await passEnd(app)
    expect(await kindsOf()).toEqual([])
    const { tokens } = await freeze(app)
    await reject(app, promised)
    expect(await snapshotsOf(app)).toMatchObject({ owned: tokens, movements: 0 })
  })

  test('not while a promised claim is about what came after the sale, which buys nothing', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await mine(app, 2)
    await passEnd(app)
    await pay(app, purchase)
    await mine(app, 2)
    const promised = await anApprovedClaim(app, buyer)
    expect(await kindsOf()).toEqual([])
    const { tokens } = await freeze(app)
    await reject(app, promised)
    expect(await snapshotsOf(app)).toMatchObject({ owned: tokens, movements: 0 })
  })

  test('not while what was sent by hand came after the sale, or is too little to buy', async () => {
    await app.close()
    await start((sale) => ({ ...sale, approvals: { ...sale.approvals, refundOver: usd(1n) } }))
    const ada = await aColleague(app, 'Ada')
    await aColleague(app, 'Bob')
    const underpaid = await anOwedPurchase(app, buyer)
    await mark('holdPurchase', underpaid.purchase.id)
    await mark('releasePurchase', underpaid.purchase.id)
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await mine(app, 2)
    await passEnd(app)
    const late = await pay(app, purchase)
    await mine(app, 2)
    for (const id of [underpaid.receiptId, late]) {
      const sent = { params: { id }, headers: {}, body: { hash: `paid-${id}` } }
      expect((await app.client.call(operatorContract.payRefund, sent, ada.as)).status).toBe(202)
    }
    expect(await kindsOf()).toEqual([])
    expect((await freeze(app)).leaves).toBe(1)
  })

  test('while a claim is promised to what a gateway called failed, and calls so no more', async () => {
    await app.close()
    await start((sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({ ...stage, endsAt: new Date(Date.now() + 3 * DAY_MS) })),
    }))
    const purchase = await buyAndPay(app, buyer)
    await changeGatewayFailure(purchase, { hasFailed: true })
    const promised = await anApprovedClaim(app, buyer)
    await app.passTime(2 * DAY_MS)
    await passEnd(app)
    expect(await kindsOf()).toEqual([])
    await changeGatewayFailure(purchase, { hasFailed: false })
    expect(await kindsOf()).toEqual(['refund_claim'])
    await reject(app, promised)
    expect(await kindsOf()).toEqual([])
    expect((await freeze(app)).leaves).toBe(1)
  })

  test('below the soft cap', async () => {
    await app.close()
    await start((sale) => ({ ...sale, softCap: usd(1_000_000n * 10n ** 6n) }))
    await buyAndPay(app, buyer)
    await passEnd(app)
    expect(await kindsOf()).toEqual(['soft_cap'])
    expect((await tryToFreeze(app)).refusal.message).toContain('below the soft cap')
  })

  test('if nobody owns anything', async () => {
    await passEnd(app)
    expect((await tryToFreeze(app)).refusal.message).toContain('Nobody owns any tokens')
    expect((await tryToCorrect(app, 'Too early')).refusal.message).toContain('Nothing is frozen')
  })

  test('before they were ever checked', async () => {
    expect((await snapshotsOf(app)).undecided).toMatchObject([{ kind: 'sale' }, { kind: 'books' }])
  })

  test('while a chain is silent', async () => {
    await buyAndPay(app, buyer)
    await app.passTime(2 * STAGE_MS + 2 * 3_600_000)
    await refreshPrices(app.services)
    expect(await kindsOf()).toContain('chain')
    await passEnd(app)
    expect(await kindsOf()).not.toContain('chain')
  })
})

describe('closed books', () => {
  test('have each purchase and reward as a leaf of the tree of @openzeppelin/merkle-tree', async () => {
    const friend = await aUser(app, { referrals: { referred_by: buyer.user.id } })
    await buyAndPay(app, buyer, { usd: 50 })
    await buyAndPay(app, buyer, { usd: 75.5 })
    const other = await buyAndPay(app, friend, { usd: 300 })
    // Neither a purchase that was failed nor the reward for it.
    const failed = await aUser(app, { referrals: { referred_by: buyer.user.id } })
    await mark('failPurchase', (await buyAndPay(app, failed, { usd: 300 })).id)
    await passEnd(app)
    const snapshot = await freeze(app)
    expect(snapshot).toMatchObject({ number: 1, leaves: 4, owners: 2, reason: null })
    const [own, theirs] = [await receiptsOf(app, buyer), await receiptsOf(app, friend)]
    expect(own.data).toHaveLength(3)
    expect(theirs.data.map(({ purchase_id }) => purchase_id)).toEqual([other.id])
    const values = [...own.data, ...theirs.data].map(({ value }) => [...value])
    const tree = StandardMerkleTree.of(values, ['bytes32', 'uint256'])
    expect(tree.root).toBe(snapshot.root)
    for (const receipt of [...own.data, ...theirs.data]) {
      expect(tree.getProof([...receipt.value])).toEqual(receipt.proof)
    }
    const report = await snapshotsOf(app)
    expect(report.owned).toBe(snapshot.tokens)
    expect(report.movements).toBe(0)
  })

  test('are public by root, total and count alone', async () => {
    await buyAndPay(app, buyer)
    const before = await app.client.call(proofContract.getProof, {})
    expect(before.body).toEqual({ snapshots: [] })
    expect((await receiptsOf(app, buyer)).data).toEqual([])
    await passEnd(app)
    const { number, root, tokens, leaves, taken_date } = await freeze(app)
    const { body } = await app.client.call(proofContract.getProof, {})
    expect(body).toEqual({ snapshots: [{ number, root, tokens, leaves, taken_date }] })
    const nobody = await app.client.call(proofContract.listProofReceipts, { query: {} })
    expect(nobody.refusal.reason).toBe('Unauthenticated')
  })

  test('give receipts page by page, of one purchase, and none of anybody else', async () => {
    const other = await aUser(app)
    const ids = []
    for (const usd of [10, 20, 30]) ids.push((await buyAndPay(app, buyer, { usd })).id)
    await buyAndPay(app, other)
    await passEnd(app)
    await freeze(app)
    const first = await receiptsOf(app, buyer, { limit: '2' })
    const second = await receiptsOf(app, buyer, { limit: '2', after: first.after ?? '' })
    expect(second.after).toBeNull()
    const found = [...first.data, ...second.data].map(({ purchase_id }) => purchase_id)
    expect(found).toEqual(ids.toSorted())
    const one = await receiptsOf(app, buyer, { purchase_id: ids[1] ?? '' })
    expect(one.data.map(({ purchase_id }) => purchase_id)).toEqual([ids[1]])
    expect((await receiptsOf(app, other, { purchase_id: ids[1] ?? '' })).data).toEqual([])
    const missing = await app.client.call(
      proofContract.listProofReceipts,
      { query: { snapshot: '2' } },
      buyer.as,
    )
    expect(missing.refusal.reason).toBe('NotFound')
  })

  test('end the sale for good', async () => {
    await buyAndPay(app, buyer)
    await passEnd(app)
    await freeze(app)
    expect((await tryToFreeze(app)).refusal.message).toContain('The books are closed')
    const resumed = await app.client.call(
      operatorContract.resumeSale,
      { body: { force: false } },
      operator,
    )
    expect(resumed.refusal.reason).toBe('SaleFrozen')
    expect((await tryToBuy(app, buyer)).refusal.reason).toBe('SaleEnded')
    changed = (sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({ ...stage, endsAt: new Date(Date.now() + DAY_MS) })),
    })
    const text = readFileSync(parseConfig({}).saleFile, 'utf8')
    const { body } = await app.client.call(
      saleFilesContract.checkSaleFile,
      { body: { text } },
      operator,
    )
    expect(body.faults).toMatchObject([
      { path: 'stages', message: expect.stringContaining('snapshot 1 says for good') },
    ])
  })

  test('end the sale for good, though its last stage has tokens again', async () => {
    await app.close()
    const small = smallStages({ endsAt: null })
    const soldOut = (sale: Sale) => {
      const ended = small(sale)
      return { ...ended, stages: ended.stages.slice(0, 1) }
    }
    await start(soldOut)
    await buyAndPay(app, await aUser(app), { usd: 400 })
    const { id } = await buyAndPay(app, buyer, { usd: 600 })
    await passEnd(app)
    await inspectInvariants(app.services)
    await freeze(app)
    const disputed = { params: { id }, headers: named, body: { reason: 'It was disputed' } }
    await app.client.call(operatorContract.failPurchase, disputed, operator)
    expect((await tryToCorrect(app, 'A purchase has failed')).status).toBe(200)
    const active = await app.client.call(saleContract.getActiveStage, {})
    expect(active.refusal.reason).toBe('SaleEnded')
    const state = await app.client.call(operatorContract.getSaleState, {}, operator)
    expect(state.body).toMatchObject({ status: 'ENDED', stage: null })

    const faults = async (change: (sale: Sale) => Sale) => {
      changed = (sale) => change(soldOut(sale))
      const text = readFileSync(parseConfig({}).saleFile, 'utf8')
      const input = { body: { text } }
      return (await app.client.call(saleFilesContract.checkSaleFile, input, operator)).body.faults
    }
    const contract = { chain: 'ethereum', address: `0x${'1a'.repeat(20)}`, explorerUrl: null }
    const withContract = await faults((sale) => ({
      ...sale,
      project: { ...sale.project, contract },
    }))
    expect(withContract).toEqual([])
    const larger = await faults((sale) => ({
      ...sale,
      stages: sale.stages.map((stage) => ({ ...stage, supply: add(stage.supply, stage.supply) })),
    }))
    expect(larger).toMatchObject([{ path: 'stages' }])
  })

  test('are corrected despite a fault that was accepted, which two people can also mend', async () => {
    const [own, thief] = [walletOf(1), walletOf(2)]
    await buyAndPay(app, buyer)
    await giveWallet(app, buyer.user.id, own)
    await passEnd(app)
    await freeze(app)
    const breaches = async () =>
      (await inspectInvariants(app.services)).breaches.map(({ check }) => check)
    const resume = async () =>
      await app.client.call(operatorContract.resumeSale, { body: { force: true } }, operator)
    expect((await resume()).refusal.reason, 'nothing is to be accepted').toBe('SaleFrozen')

    app.clock.pass(1000)
    await giveWallet(app, buyer.user.id, thief)
    expect(await breaches()).toEqual(['frozen_wallets_stay'])
    expect((await tryToCorrect(app, 'A wallet')).refusal.message).toContain('do not agree')
    const { body } = await resume()
    expect(body.pause?.reason).toContain('Frozen: snapshot 1')
    expect(body.check?.breaches).toMatchObject([{ is_accepted: true }])
    expect((await tryToCorrect(app, 'A wallet')).body.number).toBe(2)

    app.clock.pass(1000)
    const change = { address: own, reason: 'It was a thief' }
    const input = { params: { id: buyer.user.id }, headers: named, body: change }
    await app.client.call(operatorWalletsContract.changeUserWallet, input, operator)
    expect(await breaches()).toEqual([])
    expect((await tryToCorrect(app, 'Their own wallet')).body.number).toBe(3)
  })

  test('keep the leaf of an account that is erased', async () => {
    await buyAndPay(app, buyer)
    const other = await aUser(app)
    await buyAndPay(app, other)
    const erased = await app.client.call(
      usersContract.eraseUser,
      { params: { id: other.user.id }, body: { password: other.password } },
      other.as,
    )
    expect(erased.status).toBe(204)
    await passEnd(app)
    expect(await freeze(app)).toMatchObject({ leaves: 2, owners: 2 })
  })

  test('take two people where there are two', async () => {
    await buyAndPay(app, buyer)
    const [owner, second] = [
      await aColleague(app, 'Ada', 'owner'),
      await aColleague(app, 'Bob', 'owner'),
    ]
    const finance = await aColleague(app, 'Carl', 'finance')
    await passEnd(app)
    expect((await tryToFreeze(app, finance.as)).refusal.reason).toBe('PermissionMissing')
    const { id, hash, summary } = waitOf(await tryToFreeze(app, owner.as))
    expect(summary).toMatch(/^Freeze who owns \d+(,\d{3})+(\.\d+)? HUH, in snapshot 1$/)
    expect((await snapshotsOf(app)).snapshots).toEqual([])
    const input = { params: { id }, body: { hash } }
    const own = await app.client.call(approvalsContract.approveAct, input, owner.as)
    expect(own.refusal.reason).toBe('OwnApproval')
    // An instance that does not use the applied sale file yet leaves it to others, and to later.
    app.services.saleFileId += 1n
    const approved = await app.client.call(approvalsContract.approveAct, input, second.as)
    expect(approved.body).toMatchObject({ state: 'approved' })
    expect((await snapshotsOf(app)).snapshots).toEqual([])
    app.services.saleFileId -= 1n
    app.clock.pass(60_000)
    await carryOutApproved(app.services)
    const [snapshot] = (await snapshotsOf(app)).snapshots
    expect(snapshot).toMatchObject({ number: 1, leaves: 1 })
  })

  test('are not closed by an approval of other tokens', async () => {
    const { id: purchase } = await buyAndPay(app, buyer)
    await buyAndPay(app, buyer)
    const [owner, second] = [
      await aColleague(app, 'Ada', 'owner'),
      await aColleague(app, 'Bob', 'owner'),
    ]
    await passEnd(app)
    const { id, hash } = waitOf(await tryToFreeze(app, owner.as))
    const input = { params: { id: purchase }, headers: named, body: { reason: 'A mistake' } }
    await app.client.call(operatorContract.failPurchase, input, operator)
    const approval = { params: { id }, body: { hash } }
    const approved = await app.client.call(approvalsContract.approveAct, approval, second.as)
    expect(approved.body).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('are owned by now'),
    })
    expect((await snapshotsOf(app)).snapshots).toEqual([])
    await passExpiry(app)
  })
})
