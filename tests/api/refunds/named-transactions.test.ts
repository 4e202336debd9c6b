import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  claim,
  loggedIn,
  lookAtBatch,
  lookAtClaim,
  passTheDay,
  send,
  tryToApprove,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  expectAllWell,
  lookAt,
  mine,
  part,
  passExpiry,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase, named, operator, tryToPay } from '#tests/kit/builders/an-operator.ts'
import { payoutsOf } from '#tests/kit/payouts/payouts-of.ts'
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

const follow = () => followPayouts(app.services)

describe('named transactions', () => {
  test('a transaction that was named for one batch pays the like of another only if it is named there', async () => {
    const other = await aUser(app)
    const purchases = [await aPurchase(app, buyer), await aPurchase(app, other)]
    for (const purchase of purchases) await pay(app, purchase, part(purchase, 0.05))
    await mine(app, 2)
    await passExpiry(app)
    const [meant, unmeant] = [await claim(app, buyer), await claim(app, other)]
    expect(meant.pays).toBe(unmeant.pays)
    await passTheDay(app)
    for (const each of [meant, unmeant]) await tryToApprove(app, each)
    const [first, second] = [await aBatch(app, [meant.id]), await aBatch(app, [unmeant.id])]
    await send(app, WALLET, meant.pays)
    const sent = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow()
    const nameFor = async ({ id }: { id: string }) => {
      const input = { params: { id }, headers: named, body: { hash: sent.transaction_hash } }
      await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
      await follow()
    }
    await nameFor(second)
    expect(await lookAtClaim(app, meant)).toMatchObject({ state: 'batched' })
    expect(await lookAtClaim(app, unmeant)).toMatchObject({ state: 'sent' })
    await nameFor(first)
    expect(await lookAtClaim(app, unmeant)).toMatchObject({ state: 'sent' })
  })

  test('a transaction that was named for a batch pays the like of another one, once it has no use for it', async () => {
    const other = await aUser(app)
    for (const each of [buyer, other]) await anOwedPurchase(app, each)
    const claims = [await claim(app, buyer), await claim(app, other)] as const
    await passTheDay(app)
    for (const each of claims) await tryToApprove(app, each)
    const [first, second] = [await aBatch(app, [claims[0].id]), await aBatch(app, [claims[1].id])]
    await send(app, WALLET, claims[0].pays)
    await mine(app)
    await follow()
    expect(await lookAtClaim(app, claims[0])).toMatchObject({ state: 'sent', confirmations: 1 })
    await send(app, WALLET, claims[1].pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .where('block_height', 'is', null)
      .executeTakeFirstOrThrow()
    const input = { params: { id: first.id }, headers: named, body: { hash } }
    await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
    await follow()
    expect(await lookAtClaim(app, claims[1])).toMatchObject({
      state: 'sent',
      batch_id: second.id,
      transaction_hash: hash,
    })
  })

  test('a transaction that was named for the wrong batch pays the one whose payouts it has', async () => {
    const other = await aUser(app)
    for (const each of [buyer, other]) await anOwedPurchase(app, each)
    const [sent, unsent] = [
      await claim(app, buyer),
      await claim(app, other, { address: 'sandbox-b' }),
    ]
    await passTheDay(app)
    for (const each of [sent, unsent]) await tryToApprove(app, each)
    const [meant, wrong] = [await aBatch(app, [sent.id]), await aBatch(app, [unsent.id])]
    await send(app, WALLET, sent.pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow()
    const input = { params: { id: wrong.id }, headers: named, body: { hash } }
    await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
    await follow()
    expect(await lookAtClaim(app, sent)).toMatchObject({ state: 'sent', batch_id: meant.id })
    expect(await lookAtBatch(app, wrong.id)).toMatchObject({ state: 'open', sent: 0 })
  })

  test('a named transaction must be one that pays', async () => {
    const { purchase } = await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const name = (hash: string) =>
      app.client.call(
        refundBatchesContract.nameRefundBatchHash,
        { params: { id }, headers: named, body: { hash } },
        operator,
      )
    const back = await loggedIn(app, buyer)
    const seen = await lookAt(app, back, purchase)
    const came = seen.receipts[0]?.transaction_hash ?? ''
    expect(await name(came)).toMatchObject({ refusal: { reason: 'HashUsed' } })
    expect((await name('sandbox-that-one')).body).toMatchObject({
      named_hash: 'sandbox-that-one',
      state: 'open',
    })
  })

  test('of each named transaction is said what it pays, and what is awaited if it pays nothing', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const name = async (hash: string) => {
      const input = { params: { id }, headers: named, body: { hash } }
      return (await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator))
        .body
    }
    const awaited = {
      hash: 'sandbox-another',
      claims: 0,
      note: expect.stringMatching(/^No payment of this batch was found in it yet/),
    }
    expect((await name('sandbox-another')).named_transactions).toMatchObject([awaited])
    await send(app, WALLET, claimed.pays)
    await mine(app, 1)
    await follow()
    const { transaction_hash: hash } = await lookAtClaim(app, claimed)
    expect((await name(hash ?? '')).named_transactions).toMatchObject([
      { hash, claims: 1, note: null },
      { ...awaited, note: expect.stringMatching(/^It pays nothing of this batch/) },
    ])
  })

  test('a transaction that is seen to pay a claim is not named for another refund by mistake', async () => {
    const other = await aUser(app)
    await anOwedPurchase(app, buyer)
    const { receiptId } = await anOwedPurchase(app, other)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 1)
    await follow()
    const { transaction_hash: hash, state } = await lookAtClaim(app, claimed)
    expect(state).toBe('sent')
    expect(await tryToPay(app, receiptId, hash ?? '')).toMatchObject({
      refusal: { reason: 'HashUsed' },
    })
    expect((await tryToPay(app, receiptId, hash ?? '', { shared: true })).status).toBe(200)
  })

  test('a transaction that paid a refund by hand pays a batch too, once it is named for it', async () => {
    const other = await aUser(app)
    await anOwedPurchase(app, buyer)
    const { receiptId } = await anOwedPurchase(app, other)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow()
    expect((await tryToPay(app, receiptId, hash)).status).toBe(200)
    await mine(app, 1)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
    const input = { params: { id }, headers: named, body: { hash } }
    await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', transaction_hash: hash })
  })

  test('each transaction that was named is looked at, and those that were found before', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    for (const hash of ['sandbox-1st', 'sandbox-2nd', 'sandbox-1st', 'sandbox-3rd']) {
      const input = { params: { id }, headers: named, body: { hash } }
      await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
    }
    await send(app, WALLET, claimed.pays)
    await mine(app, 1)
    await follow()
    const payouts = payoutsOf(app)
    const find = vi.spyOn(payouts, 'find')
    await follow()
    const { transaction_hash: hash } = await lookAtClaim(app, claimed)
    expect(find.mock.calls[0]?.[2].hashes.toSorted()).toEqual(
      ['sandbox-1st', 'sandbox-2nd', 'sandbox-3rd', hash ?? ''].toSorted(),
    )
  })

  test('a batch has a bounded number of named transactions', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const name = (hash: string) =>
      app.client.call(
        refundBatchesContract.nameRefundBatchHash,
        { params: { id }, headers: named, body: { hash } },
        operator,
      )
    await app.open.database
      .updateTable('refund_batches')
      .set({
        named_hash: 'sandbox-last',
        former_hashes: Array.from({ length: 48 }, (_, nth) => `sandbox-${nth}`),
      })
      .execute()
    expect((await name('sandbox-fiftieth')).status).toBe(200)
    // One that was named before is named again.
    expect((await name('sandbox-0')).status).toBe(200)
    expect(await name('sandbox-one-more')).toMatchObject({
      status: 409,
      refusal: { reason: 'BatchClosed', message: expect.stringContaining('50 transactions') },
    })
  })
})
