import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { usersContract } from '#contract/users.ts'
import { NotYet, Unavailable } from '#domain/unavailable.ts'
import type { Services } from '#server/services.ts'
import { createQuestionPace } from '#server/payments/payouts/question-pace.ts'
import { createPayoutWatch, followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  booksOf,
  doublePaymentsOf,
  fileOf,
  cancelBatch,
  claim,
  loggedIn,
  lookAtBatch,
  lookAtClaim,
  passTheDay,
  reject,
  send,
  tryToApprove,
  tryToBatch,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  expectAllWell,
  mine,
  pay,
  quickSale,
  reorganise,
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

/** Payouts that have gone from their chain, as the inbox shows them. */
async function gone() {
  const query = { kind: 'payout_gone' as const }
  return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
}

describe('batches', () => {
  test('a claim is in one of them', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app, [claimed.id])
    expect(await tryToBatch(app)).toMatchObject({ refusal: { reason: 'NothingToBatch' } })
    expect(await tryToBatch(app, [claimed.id])).toMatchObject({
      refusal: { reason: 'ClaimClosed' },
    })
    expect(await reject(app, claimed)).toMatchObject({ refusal: { reason: 'ClaimClosed' } })
  })

  test('one that was cancelled and is sent all the same has its claims again', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const first = await aBatch(app)
    expect((await cancelBatch(app, first)).body).toMatchObject({ state: 'cancelled', claims: 1 })
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'approved', batch_id: null })
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'confirmed',
      batch_id: first.id,
    })
    expect(await lookAtBatch(app, first.id)).toMatchObject({ state: 'confirmed', confirmed: 1 })
    expect(await doublePaymentsOf(app)).toEqual([])
  })

  test('what pays a cancelled batch is one of its named transactions, where it has some', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const input = { params: { id }, headers: named, body: { hash: 'sandbox-meant' } }
    await app.client.call(refundBatchesContract.nameRefundBatchHash, input, operator)
    await cancelBatch(app, { id })
    await send(app, WALLET, claimed.pays)
    await follow()
    const { transaction_hash: hash, batch_id: batchId } = await lookAtClaim(app, claimed)
    expect(batchId).toBe(id)
    const rows = await app.open.database.selectFrom('refund_batches').selectAll().execute()
    expect(rows).toMatchObject([{ named_hash: 'sandbox-meant', former_hashes: [hash] }])
  })

  test('another amount at the address of a claim is named, and pays nothing', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    await send(app, WALLET, '0.000123')
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
    expect((await lookAtBatch(app, id)).other_amounts).toMatchObject([
      { claim_id: claimed.id, address: WALLET, came: '0.000123', pays: claimed.pays },
    ])
    expect((await fileOf(app, id)).body.note).toContain('another amount')
    // After a start, when not all blocks are read yet, it is known all the same.
    const find = vi.spyOn(payoutsOf(app), 'find')
    find.mockResolvedValueOnce({ found: [], others: [], sights: [], isWhole: false, head: 99n })
    await follow()
    expect(find).toHaveBeenCalledTimes(1)
    find.mockRestore()
    expect((await lookAtBatch(app, id)).other_amounts).toHaveLength(1)
    // Whoever puts the claim into another batch has to know it too.
    await cancelBatch(app, { id })
    const again = await aBatch(app)
    await follow()
    expect((await lookAtBatch(app, again.id)).other_amounts).toHaveLength(1)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    const paid = await lookAtBatch(app, again.id)
    expect(paid).toMatchObject({ state: 'confirmed', other_amounts: [] })
  })

  test('a batch has no files from when its transaction waits until its claims have it', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const answer = { found: [], others: [], isWhole: true, head: 99n }
    const sight = { hash: 'sandbox-sent', spends: ['coin'], replacedBy: null }
    const find = vi.spyOn(payoutsOf(app), 'find')
    find.mockResolvedValueOnce({ ...answer, sights: [{ ...sight, state: 'waiting' }] })
    await follow()
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
    // The claim cannot be recorded now that it is in a block.
    const transfer = { id: claimed.id, transactionHash: sight.hash, index: -1, confirmations: 1 }
    const found = [{ ...transfer, requiredConfirmations: 2 }]
    find.mockResolvedValueOnce({ ...answer, found, sights: [{ ...sight, state: 'mined' }] })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
    expect(await lookAtBatch(app, id)).toMatchObject({ state: 'open', formats: [] })
    app.complaints.length = 0
  })

  test('a batch has no files while blocks are read in which its transaction may pay it', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const sight = { hash: 'sandbox-sent', spends: ['coin'], replacedBy: null }
    const answer = { found: [], others: [], head: 99n }
    const mined = { ...answer, sights: [{ ...sight, state: 'mined' as const }] }
    const find = vi.spyOn(payoutsOf(app), 'find')
    find.mockResolvedValueOnce({
      ...answer,
      isWhole: true,
      sights: [{ ...sight, state: 'waiting' }],
    })
    await follow()
    find.mockResolvedValueOnce({ ...mined, isWhole: false })
    await follow()
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
    find.mockResolvedValueOnce({ ...mined, isWhole: true })
    await follow()
    expect((await fileOf(app, id)).body.text).toContain('sandbox-wallet-of-the-buyer')
  })

  test('a batch has no files while no node tells what its transaction has sent', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const hash = 'sandbox-sent'
    vi.spyOn(payoutsOf(app), 'find').mockResolvedValueOnce({
      found: [],
      others: [],
      sights: [{ hash, spends: ['coin'], state: 'unread', replacedBy: null }],
      isWhole: true,
      head: 99n,
    })
    await follow()
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
    expect(await lookAtBatch(app, id)).toMatchObject({
      formats: [],
      named_transactions: [{ hash, note: expect.stringContaining('does not tell which coins') }],
    })
    await cancelBatch(app, { id })
    expect((await fileOf(app, (await aBatch(app)).id)).body.note).toContain(hash)
  })

  test('what pays a batch is known from its first look on, if it goes before all blocks are read', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const find = vi.spyOn(payoutsOf(app), 'find')
    const answer = { others: [], head: 99n }
    const sight = { hash: 'sandbox-sent', spends: ['coin'], replacedBy: null }
    const transfer = { id: claimed.id, transactionHash: sight.hash, index: 0, confirmations: 1 }
    find.mockResolvedValueOnce({
      ...answer,
      found: [{ ...transfer, requiredConfirmations: 2 }],
      sights: [{ ...sight, state: 'mined' }],
      isWhole: false,
    })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent' })
    // A node says what became of those that were seen before.
    find.mockImplementationOnce(async (_chain, _payouts, { sights }) => ({
      ...answer,
      found: [],
      sights: [...sights.values()].map((seen) => ({ ...seen, state: 'waiting' as const })),
      isWhole: true,
    }))
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
  })

  test('a payout that a deep reorganisation removes is in the inbox, and stays paid', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await mine(app, 3)
    await follow()
    expect(await gone()).toEqual([])
    await reorganise(app, 6)
    await follow()
    const [item] = await gone()
    expect(item).toMatchObject({ kind: 'payout_gone', role: 'finance' })
    expect(item?.detail).toContain(claimed.address)
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
    expect(await tryToBatch(app)).toMatchObject({ refusal: { reason: 'NothingToBatch' } })
    const body = { kind: 'payout_gone' as const, id: item?.id ?? '', reason: 'It was sent again' }
    await app.client.call(consoleContract.closeInboxItem, { body }, operator)
    expect(await gone()).toEqual([])
    // It has come back, and a further reorganisation has removed it again.
    const at = app.clock.now()
    for (const gone_at of [null, new Date(at.getTime() + 60_000)]) {
      await app.open.database.updateTable('refund_claims').set({ gone_at }).execute()
    }
    expect(await gone()).toHaveLength(1)
    app.complaints.length = 0
  })

  test('what is sent in place of a payout that has gone is no second payment', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await reorganise(app, 3)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await follow()
    expect(await gone()).toHaveLength(1)
    expect(await doublePaymentsOf(app)).toEqual([])
    app.complaints.length = 0
  })

  test('a payout of which no node can say whether it has gone hides no other one', async () => {
    const other = await aUser(app)
    for (const each of [buyer, other]) await anOwedPurchase(app, each)
    const [one, two] = [await claim(app, buyer), await claim(app, other, { address: 'sandbox-b' })]
    await passTheDay(app)
    for (const each of [one, two]) {
      await tryToApprove(app, each)
      await send(app, each.address, each.pays)
    }
    await aBatch(app)
    await mine(app, 2)
    await follow()
    const findGone = vi.spyOn(payoutsOf(app), 'findGone')
    findGone.mockImplementation(async (_, paid) => {
      if (paid.some(({ id }) => id === one.id)) throw new Unavailable('The block is pruned')
      return paid.map(({ id }) => id)
    })
    await follow()
    expect(await gone()).toMatchObject([{ detail: expect.stringContaining(two.address) }])
    // Where no node answers at all, none of them is asked about.
    findGone.mockReset()
    findGone.mockRejectedValue(new Unavailable('No node answers'))
    await follow()
    expect(findGone).toHaveBeenCalledTimes(1)
    app.complaints.length = 0
  })

  test('a batch that is paid twice is found, and pays nobody else', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const first = await aBatch(app)
    await cancelBatch(app, first)
    const second = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ batch_id: second.id })
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await follow()
    expect(await doublePaymentsOf(app)).toMatchObject([
      { claim_id: claimed.id, batch_id: BigInt(first.id) },
    ])
    expect(await booksOf(app)).toEqual({ paid_out: claimed.pays, refund_fees: claimed.fee })
  })

  test('a batch that is sent a second time is found, though it was never cancelled', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const batch = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await follow()
    expect(await doublePaymentsOf(app)).toEqual([])
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    await follow()
    expect(await doublePaymentsOf(app)).toMatchObject([
      { claim_id: claimed.id, batch_id: BigInt(batch.id) },
    ])
    expect(await booksOf(app)).toEqual({ paid_out: claimed.pays, refund_fees: claimed.fee })
  })

  test('of a batch that is paid in part the rest is left to send, as in its file', async () => {
    const other = await aUser(app)
    for (const each of [buyer, other]) await anOwedPurchase(app, each)
    const { pays } = await anApprovedClaim(app, buyer)
    const rest = await anApprovedClaim(app, { ...other, ...(await loggedIn(app, other)) })
    const batch = await aBatch(app)
    expect(await lookAtBatch(app, batch.id)).toMatchObject({ sums: [{ claims: 2 }] })
    expect((await fileOf(app, batch.id)).body.note).not.toContain('look into your wallet first')
    await send(app, WALLET, pays)
    await mine(app)
    await follow()
    expect(await lookAtBatch(app, batch.id)).toMatchObject({
      state: 'open',
      claims: 2,
      sent: 1,
      sums: [{ claims: 1, pays: rest.pays }],
    })
    // It may have been sent with an amount that is a little too small, which is never found.
    expect((await fileOf(app, batch.id)).body.note).toContain('look into your wallet first')
  })

  test('the exported refunds add up to what the books say was sent, and what it cost', async () => {
    const purchase = await anOwedPurchase(app, buyer)
    const exported = async () => {
      const { body } = await app.app.inject({
        url: `${API_BASE}/operator/exports/refunds?form=json`,
        headers: { authorization: `Bearer ${operator.accessToken}`, ...named },
      })
      return JSON.parse(body) as object[]
    }
    const claimed = await anApprovedClaim(app, buyer)
    const { amount } = claimed
    expect(await exported()).toMatchObject([{ amount, fee: null, paid_amount: null }])
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await exported()).toMatchObject([
      { receipt_id: purchase.receiptId, amount, fee: claimed.fee, paid_amount: claimed.pays },
    ])
    expect(Number(claimed.fee)).toBeGreaterThan(0)
    expect(await booksOf(app)).toEqual({ paid_out: claimed.pays, refund_fees: claimed.fee })
  })

  test('what pays a like claim is no second payment of one that was paid', async () => {
    const owe = async () => {
      await pay(app, await aPurchase(app, buyer), '0.001')
      await mine(app, 2)
      await passTheDay(app)
      buyer = { ...buyer, ...(await loggedIn(app, buyer)) }
    }
    await owe()
    const first = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, first.pays)
    await mine(app, 2)
    await follow()
    // To the same address, of the same amount, and its batch is cancelled and sent all the same.
    buyer = { ...buyer, ...(await loggedIn(app, buyer)) }
    await owe()
    const other = await anApprovedClaim(app, buyer)
    expect(other.pays).toBe(first.pays)
    await cancelBatch(app, await aBatch(app))
    await send(app, WALLET, first.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, other)).toMatchObject({ state: 'confirmed' })
    expect(await doublePaymentsOf(app)).toEqual([])
  })

  test('the files of what was sent are given to nobody', async () => {
    const other = await aUser(app)
    await anOwedPurchase(app, buyer)
    await anOwedPurchase(app, other)
    const sent = await claim(app, buyer)
    const unsent = await claim(app, other, { address: 'sandbox-another' })
    await passTheDay(app)
    for (const each of [sent, unsent]) await tryToApprove(app, each)
    const { id } = await aBatch(app)
    await send(app, sent.address, sent.pays)
    await follow()
    const half = (await fileOf(app, id)).body.text
    expect(half).toContain(unsent.id)
    expect(half).not.toContain(sent.id)
    expect(await lookAtBatch(app, id)).toMatchObject({ state: 'open', formats: ['csv'] })

    await send(app, unsent.address, unsent.pays)
    await follow()
    expect(await lookAtBatch(app, id)).toMatchObject({ state: 'sent', formats: [] })
    expect(await fileOf(app, id)).toMatchObject({ refusal: { reason: 'BatchClosed' } })
    await mine(app, 2)
    await follow()
    expect(await lookAtBatch(app, id)).toMatchObject({ state: 'confirmed', formats: [] })
    expect(await fileOf(app, id)).toMatchObject({ refusal: { reason: 'BatchClosed' } })
  })

  test('what was taken out of a batch waits until its chain can be read', async () => {
    const { payouts } = app.services.rails.get('sandbox') ?? {}
    if (payouts === undefined) throw new Error('The sandbox has payouts.')
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    const second = await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    const find = vi
      .spyOn(payouts, 'find')
      .mockRejectedValueOnce(new NotYet('Blocks are still being read'))
    await follow()
    find.mockRestore()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched', batch_id: second.id })
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({
      state: 'confirmed',
      batch_id: second.id,
    })
  })

  test('a refund that was paid by hand to the same address is no second payment of a claim', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
    // Of another purchase; the operator sent what they had sent before.
    buyer = { ...buyer, ...(await loggedIn(app, buyer)) }
    const { receiptId } = await anOwedPurchase(app, buyer)
    await send(app, WALLET, claimed.pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('is_outgoing', '=', true)
      .where('block_height', 'is', null)
      .executeTakeFirstOrThrow()
    expect((await tryToPay(app, receiptId, hash)).status).toBe(200)
    await mine(app, 2)
    await follow()
    expect(await doublePaymentsOf(app)).toEqual([])
  })

  test('what a cancelled one pays after its claim was rejected was paid for nothing', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    await reject(app, claimed)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    await follow()
    expect(await doublePaymentsOf(app)).toHaveLength(1)
  })

  test('why a file cannot be made is said to whoever asks for it', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app)
    const payouts = payoutsOf(app)
    const message = 'Two payouts of this batch go to the same address: use another file'
    vi.spyOn(payouts, 'makeFile').mockRejectedValue(new Unavailable(message))
    expect((await fileOf(app, id)).refusal).toMatchObject({ reason: 'RailUnavailable', message })
  })

  test('what was taken out of a batch is looked for, however lately the others were', async () => {
    const other = await aUser(app)
    for (const each of [buyer, other]) await anOwedPurchase(app, each)
    const [one, two] = [await claim(app, buyer), await claim(app, other, { address: 'sandbox-b' })]
    await passTheDay(app)
    for (const each of [one, two]) await tryToApprove(app, each)
    const cancelled = await aBatch(app, [one.id])
    await cancelBatch(app, cancelled)
    const payouts = payoutsOf(app)
    const findNow = payouts.find.bind(payouts)
    const requireDue = createQuestionPace(60 * 60_000)
    vi.spyOn(payouts, 'find').mockImplementation(async (...of) => {
      requireDue(...of)
      return await findNow(...of)
    })
    const watch = createPayoutWatch()
    await watch(app.services)
    // It is looked for at other times than what has left.
    await aBatch(app, [two.id])
    await watch(app.services)
    await send(app, one.address, one.pays)
    await mine(app, 2)
    await app.passTime(11 * 60_000)
    await watch(app.services)
    expect(await lookAtClaim(app, one)).toMatchObject({
      state: 'confirmed',
      batch_id: cancelled.id,
    })
  })

  test('what nothing has paid of a cancelled batch is soon looked for again while there are blocks to read', async () => {
    await anOwedPurchase(app, buyer)
    const { id } = await anApprovedClaim(app, buyer)
    await cancelBatch(app, await aBatch(app))
    const payouts = payoutsOf(app)
    const findNow = payouts.find.bind(payouts)
    let isWhole = false
    const find = vi
      .spyOn(payouts, 'find')
      .mockImplementation(async (...of) => ({ ...(await findNow(...of)), isWhole }))
    const watch = createPayoutWatch()
    const looksAfter = async (seconds: number) => {
      await app.passTime(seconds * 1000)
      find.mockClear()
      await watch(app.services)
      return find.mock.calls.map(([, wanted]) => wanted.map((each) => each.id))
    }
    expect(await looksAfter(0)).toEqual([[id]])
    expect(await looksAfter(5)).toEqual([])
    isWhole = true
    expect(await looksAfter(26)).toEqual([[id]])
    expect(await looksAfter(9 * 60)).toEqual([])
    expect(await looksAfter(61)).toEqual([[id]])
  })

  test('one instance looks for payouts, and another one once it has stopped', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    await aBatch(app)
    const payouts = payoutsOf(app)
    const find = vi.spyOn(payouts, 'find')
    const [one, other] = [createPayoutWatch(), createPayoutWatch()]
    await one(app.services)
    await other(app.services)
    await one(app.services)
    expect(find).toHaveBeenCalledTimes(2)
    await app.passTime(21_000)
    await other(app.services)
    await one(app.services)
    expect(find).toHaveBeenCalledTimes(3)
  })

  test.each([
    ['has no node that answers', (services: Services) => services],
    ['cannot follow the sale file', (services: Services) => ({ ...services, rails: new Map() })],
  ])('an instance that %s lets another one look for payouts', async (_, asIs) => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    await aBatch(app)
    await send(app, WALLET, claimed.pays)
    await mine(app, 2)
    const lacking = asIs({ ...app.services, log: { ...app.services.log, warn: () => {} } })
    const find = vi.spyOn(payoutsOf(app), 'find').mockRejectedValue(new Unavailable('403'))
    const [one, other] = [createPayoutWatch(), createPayoutWatch()]
    await one(lacking)
    find.mockRestore()
    await app.passTime(5_000)
    await one(lacking)
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'batched' })
    await other(app.services)
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
  })

  test('there are pages of claims and batches', async () => {
    for (const who of [buyer, await aUser(app), await aUser(app)]) {
      await anOwedPurchase(app, who)
      await claim(app, who)
    }
    const list = (query: { after?: string; limit?: string }) =>
      app.client.call(refundClaimsContract.listRefundClaims, { query }, operator)
    const { body: first } = await list({ limit: '2' })
    expect(first.counts).toMatchObject({ claimed: 3, approved: 0 })
    expect(first.data).toHaveLength(2)
    const { body: next } = await list({ after: first.after ?? '' })
    expect(next.data).toHaveLength(1)
    await passTheDay(app)
    for (const each of [...first.data, ...next.data]) {
      await tryToApprove(app, each)
      await aBatch(app)
    }
    const batches = (query: { after?: string; limit?: string }) =>
      app.client.call(refundBatchesContract.listRefundBatches, { query }, operator)
    const { body: newest } = await batches({ limit: '2' })
    expect(newest.data.map(({ id }) => id)).toEqual(['3', '2'])
    expect((await batches({ after: newest.after ?? '' })).body.data).toHaveLength(1)
  })
})

test('a claim outlives its account, which is erased once the day to cancel is over', async () => {
  await anOwedPurchase(app, buyer)
  const claimed = await claim(app, buyer)
  const erase = { params: { id: buyer.user.id }, body: { password: buyer.password } }
  await passTheDay(app)
  buyer = { ...buyer, ...(await loggedIn(app, buyer)) }
  expect((await app.client.call(usersContract.eraseUser, erase, buyer.as)).status).toBe(204)
  expect((await tryToApprove(app, claimed)).status).toBe(200)
  await aBatch(app)
  await send(app, WALLET, claimed.pays)
  await mine(app, 2)
  await follow()
  expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
})
