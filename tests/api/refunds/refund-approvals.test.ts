import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { approvalsContract } from '#contract/operator/approvals.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { refundsContract } from '#contract/refunds.ts'
import type { InboxKind } from '#domain/operators/inbox.ts'
import { parseDecimal, price, usd, USD_DECIMALS } from '#domain/money.ts'
import { PRICE_AGE_MAX_MS } from '#domain/sale/price.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { Services } from '#server/services.ts'
import { decideApproval } from '#server/database/operators/approvals.ts'
import { carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { makeBatch } from '#server/use-cases/refunds/make-batch.ts'
import { nameBatchHash } from '#server/use-cases/refunds/name-batch-hash.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  claim,
  lookAtBatch,
  lookAtClaim,
  passTheDay,
  refundsOf,
  reject,
  send,
  tryToApprove,
  tryToClaim,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import { expectAllWell, mine, quickSale, reorganise } from '#tests/kit/builders/a-purchase.ts'
import { priced } from '#tests/kit/builders/domain-builders.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  anOwedPurchase,
  listRefunds,
  named,
  operator,
  owedPurchases,
} from '#tests/kit/builders/an-operator.ts'
import { aColleague, type OperatorPerson, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** Everything above four dollars takes two; what is owed in these tests is five. */
const strictSale = (sale: Sale): Sale => ({
  ...quickSale(sale),
  approvals: { ...sale.approvals, refundOver: usd(4_000_000n) },
})

let app: TestApp
let buyer: RegisteredUser
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

const follow = () => followPayouts(app.services)

describe('above the amount of the sale file', () => {
  beforeEach(async () => {
    app = await startApp({ changeSale: strictSale })
    buyer = await aUser(app)
  })

  const approve = ({ id, hash }: { id: string; hash: string }, as: CallOptions) =>
    app.client.call(approvalsContract.approveAct, { params: { id }, body: { hash } }, as)

  const refuse = ({ id }: { id: string }, as: CallOptions) =>
    app.client.call(approvalsContract.refuseAct, { params: { id }, body: { reason: 'No' } }, as)

  async function askToPay(id: string, person: OperatorPerson) {
    const input = { params: { id }, headers: {}, body: { hash: 'the-hash-that-paid' } }
    return waitOf(await app.client.call(operatorContract.payRefund, input, person.as))
  }

  async function batchOf(person: OperatorPerson) {
    const body = { rail: 'sandbox', chain: 'sandbox' }
    const input = { headers: {}, body }
    return waitOf(await app.client.call(refundBatchesContract.makeRefundBatch, input, person.as))
  }

  test('a claim and its batch wait for a second person', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const ada = await aColleague(app, 'Ada')
    const bob = await aColleague(app, 'Bob')
    expect((await listRefunds(app)).data).toMatchObject([{ state: 'open', claim_id: claimed.id }])
    const waiting = waitOf(await tryToApprove(app, claimed, {}, ada.as))
    expect(waiting).toMatchObject({
      act: 'approveRefundClaim',
      about: claimed.id,
      permission: 'refunds.approve',
      input: { id: claimed.id, amount: claimed.amount, address: WALLET },
    })
    const { body: inbox } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(inbox.data.map(({ kind }) => kind)).toEqual(['approval'])
    // The wallet and the batch show what is sent, which the network's fee makes less.
    expect(Number(claimed.fee)).toBeGreaterThan(0)
    expect(waiting.summary).toContain(`${claimed.pays} ETH, to be paid to ${WALLET}`)
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'claimed',
      asked_acts: [{ approval_id: waiting.id, act: 'approveRefundClaim', asked_by: 'Ada' }],
    })
    expect((await approve(waiting, bob.as)).body).toMatchObject({ state: 'done' })
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'approved',
      asked_acts: [],
    })

    const batch = await batchOf(ada)
    expect(batch).toMatchObject({
      act: 'makeRefundBatch',
      permission: 'refunds.pay',
      input: { chain: 'sandbox', claim_ids: [claimed.id] },
      summary: expect.stringMatching(/^Send one claimed refund on sandbox, worth \$\d\.\d\d$/),
    })
    const asked = [{ approval_id: batch.id, act: 'makeRefundBatch', asked_by: 'Ada' }]
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved', asked_acts: asked })
    const { body: rest } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(rest.data.map(({ kind }) => kind)).toEqual(['approval'])
    expect((await approve(batch, bob.as)).body).toMatchObject({ state: 'done' })
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'batched',
      batch_id: '1',
      asked_acts: [],
    })
  })

  test('a batch of which one claim cannot be paid any more is not made of the others', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    const other = await aUser(app)
    await anOwedPurchase(app, other)
    const claims = [await claim(app, buyer), await claim(app, other)]
    await passTheDay(app)
    for (const each of claims) await tryToApprove(app, each)
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const waiting = await batchOf(ada)
    const hold = { params: { id: purchase.id }, headers: named, body: { reason: 'Look into it' } }
    await app.client.call(operatorContract.holdPurchase, hold, operator)
    expect((await approve(waiting, bob.as)).body).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('Of the 2 claims that were approved together, 1 can be paid'),
    })
    for (const each of claims) {
      expect(await lookAtClaim(app, each)).toMatchObject({ state: 'approved', batch_id: null })
    }
    expect((await approve(await batchOf(ada), bob.as)).body).toMatchObject({ state: 'done' })
  })

  test('a claim and its batch that are worth exactly that amount do not wait', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const [ada] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const { amount_fiat: value } = waitOf(await tryToApprove(app, claimed, {}, ada.as))
    const { sale } = app.services
    const refundOver = usd(parseDecimal(value ?? '', USD_DECIMALS) ?? 0n)
    app.services.sale = { ...sale, approvals: { ...sale.approvals, refundOver } }
    expect((await tryToApprove(app, claimed, {}, ada.as)).status).toBe(200)
    const input = { headers: {}, body: { rail: 'sandbox', chain: 'sandbox' } }
    const made = await app.client.call(refundBatchesContract.makeRefundBatch, input, ada.as)
    expect(made.body.batch).toMatchObject({ state: 'open', claims: 1 })
  })

  test('what is to be approved is written with thousands separators', async () => {
    const cheap = (sale: Sale): Sale => ({
      ...strictSale(sale),
      paymentTokens: sale.paymentTokens.map((token) => ({ ...token, fixedPrice: priced('0.001') })),
    })
    await app.close()
    app = await startApp({ changeSale: cheap })
    buyer = await aUser(app)
    const { receiptId } = await anOwedPurchase(app, buyer)
    const ada = await aColleague(app, 'Ada')
    const bob = await aColleague(app, 'Bob')
    const paid = await askToPay(receiptId, ada)
    expect(paid.summary).toMatch(/^Mark \d,\d{3}(\.\d+)? ETH as paid back$/)
    await refuse(paid, bob.as)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const approved = waitOf(await tryToApprove(app, claimed, {}, ada.as))
    expect(approved.summary).toMatch(
      /^Approve a claim to \d,\d{3}\S*, less \S+ for the network: \d,\d{3}\S* ETH, to be paid/,
    )
  })

  test('what is worth little waits as well while there is no fresh price of it', async () => {
    const { open } = app
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const ada = await aColleague(app, 'Ada')
    await aColleague(app, 'Bob')
    const cheap = price(10n ** 12n)
    await open.database.updateTable('prices').set({ price: cheap }).execute()
    await app.passTime(PRICE_AGE_MAX_MS + 1_000)
    expect(await lookAtClaim(app, claimed)).toMatchObject({ amount_fiat: null })
    const waiting = waitOf(await tryToApprove(app, claimed, {}, ada.as))
    expect(waiting).toMatchObject({ act: 'approveRefundClaim', about: claimed.id })
  })

  test('what waits to be marked as paid is in no claim until that is decided', async () => {
    const [sent, free] = await owedPurchases(app, buyer, 2)
    const [ada, bob] = [await aColleague(app, 'Ada'), await aColleague(app, 'Bob')]
    const waiting = await askToPay(sent?.receiptId ?? '', ada)
    const owed = async () => (await refundsOf(app, buyer)).owed.map(({ why_not }) => why_not)
    expect((await owed()).toSorted()).toEqual(['being_sent', null])
    const [claimable] = (await refundsOf(app, buyer)).owed.filter((each) => each.is_claimable)
    expect(claimable?.transactions).toMatchObject([{ transaction_id: free?.purchase.id }])
    const { amount = '', fee = '' } = claimable ?? {}
    const claimed = await claim(app, buyer, { amount, fee })
    expect(claimed.transaction_ids).toEqual([free?.purchase.id])
    expect(await tryToClaim(app, buyer)).toMatchObject({
      refusal: {
        reason: 'RefundClaimed',
        message: expect.stringMatching(/^This was marked as sent/),
      },
    })
    await refuse(waiting, bob.as)
    expect(await owed()).toEqual([null])
    const again = await claim(app, buyer)
    expect((await lookAtClaim(app, again)).parts).toMatchObject([
      { receipt_id: sent?.receiptId, ended_mark: { asked_by: 'Ada', hash: 'the-hash-that-paid' } },
    ])
    for (const { id } of [claimed, again]) {
      await app.client.call(refundsContract.cancelRefundClaim, { params: { id } }, buyer.as)
    }

    const { id } = await askToPay(sent?.receiptId ?? '', ada)
    const decided = { decided_by: bob.id, decided_name: 'Bob', decided_at: app.clock.now() }
    await app.open.database
      .transaction()
      .execute((transaction) =>
        decideApproval(transaction, { id, state: 'approved', reason: null, ...decided }),
      )
    // It is still to be carried out: whoever finds it anywhere would send the money once more.
    expect((await owed()).toSorted()).toEqual(['being_sent', null])
    const { body: inbox } = await app.client.call(consoleContract.listInbox, { query: {} }, bob.as)
    expect(inbox.data.map((item) => item.purchase_id)).toEqual([free?.purchase.id])
    const asked = (await listRefunds(app)).data.flatMap(({ asked_acts }) => asked_acts)
    expect(asked).toMatchObject([{ approval_id: id }])
    await carryOutApproved(app.services)
    expect(await owed()).toEqual([null])
  })

  test('a claim that is rejected while it waits is not approved', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const ada = await aColleague(app, 'Ada')
    const bob = await aColleague(app, 'Bob')
    const waiting = waitOf(await tryToApprove(app, claimed, {}, ada.as))
    await reject(app, claimed)
    expect((await approve(waiting, bob.as)).body).toMatchObject({ state: 'failed' })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'rejected' })
    const input = { params: { id: buyer.user.id } }
    const { body: person } = await app.client.call(peopleContract.getPerson, input, bob.as)
    const acts = ['askForApproval', 'rejectRefundClaim', 'approveAct', 'failApproved']
    expect(person.actions.map(({ act }) => act)).toEqual(acts)
  })
})

describe('with one person', () => {
  beforeEach(async () => {
    app = await startApp({ changeSale: quickSale })
    buyer = await aUser(app)
  })

  test('a second factor is asked for where it is on', async () => {
    await anOwedPurchase(app, buyer)
    const authenticator = await turnOnTwoFactor(app, buyer)
    const missing = { status: 400, refusal: { errors: [{ path: 'code' }] } }
    expect(await tryToClaim(app, buyer)).toMatchObject(missing)
    const wrong = await tryToClaim(app, buyer, { code: '000000' })
    expect(wrong).toMatchObject({ refusal: { reason: 'WrongCode' } })
    const code = await authenticator.nextCode()
    expect(await claim(app, buyer, { code })).toMatchObject({ state: 'claimed' })
  })

  test('what waits for operators comes and goes', async () => {
    const kinds = ['claim', 'claim_to_send', 'claim_uncovered', 'batch', 'paid_twice', 'refund']
    const inbox = async () =>
      (await app.client.call(consoleContract.listInbox, { query: {} }, operator)).body.data
    const waiting = async () =>
      (await inbox()).map(({ kind }) => kind).filter((kind) => kinds.includes(kind))
    const only = (kind: InboxKind) => [kind]
    await anOwedPurchase(app, buyer)
    expect(await waiting()).toEqual(only('refund'))
    const claimed = await claim(app, buyer)
    expect(await waiting()).toEqual([])
    await passTheDay(app)
    expect(await waiting()).toEqual(only('claim'))
    await tryToApprove(app, claimed)
    expect(await waiting()).toEqual(only('claim_to_send'))
    const batch = await aBatch(app)
    expect(await waiting()).toEqual([])
    await passTheDay(app)
    expect(await waiting()).toEqual(only('batch'))
    await cancelBatch(app, batch)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await waiting()).toEqual(only('paid_twice'))
    // The second batch was never cancelled.
    const twice = (await inbox()).find(({ kind }) => kind === 'paid_twice')
    expect(twice?.detail).toContain('A batch was sent again')
    const body = { kind: 'paid_twice' as const, id: '1', reason: 'They have sent it back' }
    await app.client.call(consoleContract.closeInboxItem, { body }, operator)
    expect(await waiting()).toEqual([])
  })

  test('a claim whose money goes is in the inbox', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    await reorganise(app, 20)
    const query = { kind: 'claim_uncovered' as const }
    const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
    expect(body.data).toMatchObject([{ kind: 'claim_uncovered', role: 'finance' }])
  })

  test('where no chain is read, a cancelled batch is not paid by naming a transaction', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const batch = await aBatch(app)
    await cancelBatch(app, batch)
    const given = { id: BigInt(batch.id), hash: 'paid-at-the-gateway' }
    await expect(nameBatchHash(withoutPayouts(app.services), given, acting)).rejects.toMatchObject({
      reason: 'BatchClosed',
    })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved' })
  })

  test('where no chain is read, naming the transaction records a batch as paid', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const given = { id: BigInt(id), hash: 'paid-at-the-gateway' }
    await nameBatchHash(withoutPayouts(app.services), given, acting)
    expect(await lookAtBatch(app, id)).toMatchObject({ state: 'confirmed', confirmed: 1 })
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'confirmed',
      transaction_hash: 'paid-at-the-gateway',
      confirmations: null,
    })
    const again = await app.client.call(
      refundBatchesContract.nameRefundBatchHash,
      { params: { id }, headers: named, body: { hash: 'paid-at-the-gateway' } },
      operator,
    )
    expect(again).toMatchObject({ refusal: { reason: 'BatchClosed' } })
  })

  test('where no chain is read, a transaction pays one batch, and a batch has one coin', async () => {
    const other = await aUser(app)
    await anOwedPurchase(app, buyer)
    await anOwedPurchase(app, other)
    const claims = [await claim(app, buyer), await claim(app, other)]
    await passTheDay(app)
    for (const each of claims) await tryToApprove(app, each)
    const gateway = withoutPayouts(app.services)
    const wanted = { rail: 'sandbox', chain: 'sandbox', paymentTokenId: null, claimIds: null }
    await expect(makeBatch(gateway, wanted, acting)).rejects.toMatchObject({
      reason: 'InvalidInput',
      details: { errors: [{ path: 'payment_token_id' }] },
    })
    const hash = 'paid-at-the-gateway'
    const [first, second] = [
      await aBatch(app, [claims[0]?.id ?? '']),
      await aBatch(app, [claims[1]?.id ?? '']),
    ]
    await nameBatchHash(gateway, { id: BigInt(first.id), hash }, acting)
    const again = nameBatchHash(gateway, { id: BigInt(second.id), hash }, acting)
    await expect(again).rejects.toMatchObject({ reason: 'HashUsed' })
    expect(await lookAtBatch(app, second.id)).toMatchObject({ state: 'open', named_hash: null })
    expect(await lookAtClaim(app, { id: claims[1]?.id ?? '' })).toMatchObject({ state: 'batched' })
  })

  test('a batch of a rail that the sale has no more is not recorded as paid', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const without = { ...app.services, rails: new Map() }
    const naming = nameBatchHash(without, { id: BigInt(id), hash: 'sandbox-that-one' }, acting)
    await expect(naming).rejects.toMatchObject({ reason: 'RailUnavailable' })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
  })
})

/** Who acts where a use case is called by itself. */
const acting: Operator = {
  kind: 'token',
  id: null,
  name: 'Olga',
  role: null,
  sessionId: null,
  permissions: ['refunds.pay'],
  address: '127.0.0.1',
}

/** As if a gateway took the payments: nobody here reads what it sends. */
function withoutPayouts(services: Services): Services {
  const rails = [...services.rails].map(([name, { payouts: _payouts, ...rail }]) => {
    return [name, rail] as const
  })
  return { ...services, rails: new Map(rails) }
}
