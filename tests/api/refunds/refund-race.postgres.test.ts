import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { refundsContract } from '#contract/refunds.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount, parseDecimal, usd } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { lockPurchases } from '#server/database/purchases/purchases.ts'
import { mineSandboxBlocks, sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import { insertRefundPayment } from '#server/database/settlement/refund-payments.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { nameBatchHash } from '#server/use-cases/refunds/name-batch-hash.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  claim,
  loggedIn,
  lookAtBatch,
  lookAtClaim,
  passTheDay,
  refundsOf,
  reject,
  send,
  tryToApprove,
  tryToBatch,
  tryToClaim,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  expectAllWell,
  expectInvariants,
  lookAt,
  mine,
  part,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase, owedPurchases, tryToPay } from '#tests/kit/builders/an-operator.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { aColleague } from '#tests/kit/builders/an-operator-person.ts'
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
const statusesOf = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other)

test('of claims that are made at once, one is made', async () => {
  await owedPurchases(app, buyer, 2)
  const replies = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      tryToClaim(app, buyer, { address: `sandbox-wallet-${name}` }),
    ),
  )
  expect(statusesOf(replies)).toEqual([201, 409, 409])
  expect((await refundsOf(app, buyer)).claims).toHaveLength(1)
})

test('of a claim and an erasure at once, one is done', async () => {
  for (const each of [1, 2, 3, 4]) {
    buyer = await aUser(app)
    await anOwedPurchase(app, buyer)
    const erase = { params: { id: buyer.user.id }, body: { password: buyer.password } }
    const acts = [
      () => tryToClaim(app, buyer),
      () => app.client.call(usersContract.eraseUser, erase, buyer.as),
    ]
    // Either may come first.
    const [one, other] = await Promise.all(
      (each % 2 === 0 ? acts : acts.toReversed()).map((act) => act()),
    )
    expect([one, other].filter((reply) => (reply?.status ?? 0) < 300)).toHaveLength(1)
  }
})

test('a claim waits for the settlement of its purchase, although that rewards a referrer', async () => {
  const { database } = app.open
  const { purchase } = await anOwedPurchase(app, buyer)
  const referrer = (await aUser(app)).user.id
  const ofBuyer = database.updateTable('users').where('id', '=', buyer.user.id)
  await ofBuyer.set({ referrer_id: referrer }).execute()
  await sendSandboxTransfer(database, {
    transactionHash: 'what-was-missing',
    address: purchase.payment_address ?? '',
    paymentTokenId: 'eth',
    amount: cryptoAmount(parseDecimal(part(purchase, 0.95), 18) ?? 0n),
    sentAt: app.clock.now(),
  })
  await mineSandboxBlocks(database, 2, app.clock.now())
  const release = await hold(database, lockStageCounters)
  const settling = watchChains(app.services)
  await expectWaiting(database, 1)
  const claiming = tryToClaim(app, buyer)
  await expectWaiting(database, 2)
  await release()
  await settling
  expect((await claiming).refusal.reason).toBe('RefundNotOwed')
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
})

test('of a cancelling and an approval at once, one is done', async () => {
  const cases = [1, 2, 3, 4]
  for (const _each of cases) {
    await anOwedPurchase(app, buyer)
    const claimed = await claim(app, buyer)
    await passTheDay(app)
    const back = await loggedIn(app, buyer)
    buyer = { ...buyer, ...back }
    const input = { params: { id: claimed.id } }
    const [cancelled, approved] = await Promise.all([
      app.client.call(refundsContract.cancelRefundClaim, input, back.as),
      tryToApprove(app, claimed),
    ])
    expect(statusesOf([cancelled, approved])).toEqual([200, 409])
    const { state } = await lookAtClaim(app, claimed)
    expect(state).toBe(approved.status === 200 ? 'approved' : 'cancelled')
    await expectInvariants(app)
    if (state === 'approved') await reject(app, claimed)
  }
})

test('approving, rejecting and paying by hand at once promises or pays once', async () => {
  const { receiptId } = await anOwedPurchase(app, buyer)
  const claimed = await claim(app, buyer)
  await passTheDay(app)
  await Promise.all([
    tryToApprove(app, claimed),
    tryToApprove(app, claimed),
    reject(app, claimed),
    tryToPay(app, receiptId, 'by-my-own-hand'),
    settleDue(app.services),
  ])
  await settleDue(app.services)
  await expectInvariants(app)
  expect((await lookAtClaim(app, claimed)).state).toBe('rejected')
})

test('of a mark that has to wait and a claim at once, one is made', async () => {
  const { services } = app
  services.sale = {
    ...services.sale,
    approvals: { ...services.sale.approvals, refundOver: usd(0n) },
  }
  const ada = await aColleague(app, 'Ada')
  await aColleague(app, 'Bob')
  for (const each of [1, 2, 3, 4]) {
    buyer = await aUser(app)
    const { receiptId } = await anOwedPurchase(app, buyer)
    const paid = { params: { id: receiptId }, headers: {}, body: { hash: `by-hand-${each}` } }
    const acts = [
      () => tryToClaim(app, buyer),
      () => app.client.call(operatorContract.payRefund, paid, ada.as),
    ]
    // Either may come first.
    const replies = await Promise.all(
      (each % 2 === 0 ? acts : acts.toReversed()).map((act) => act()),
    )
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
  }
})

test('of batches that are made at once, one has the claim', async () => {
  await anOwedPurchase(app, buyer)
  await anApprovedClaim(app, buyer)
  const replies = await Promise.all([tryToBatch(app), tryToBatch(app), tryToBatch(app)])
  expect(statusesOf(replies)).toEqual([201, 409, 409])
})

test('several instances that follow the chains at once record a payout once', async () => {
  await owedPurchases(app, buyer, 3)
  const claimed = await anApprovedClaim(app, buyer)
  const { id } = await aBatch(app)
  await send(app, WALLET, claimed.pays)
  await Promise.all([follow(), follow(), follow()])
  await mine(app, 2)
  await Promise.all([follow(), cancelBatch(app, { id }), follow(), follow()])
  await follow()
  expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed', batch_id: id })
  expect(await app.open.database.selectFrom('refund_payments').selectAll().execute()).toHaveLength(
    3,
  )
})

/** Looks at the chains while the claim to a purchase cannot be recorded yet. */
async function followLate(purchaseId: string, meanwhile: () => Promise<void>): Promise<void> {
  const { database } = app.open
  let following: Promise<unknown> = Promise.resolve()
  await database.transaction().execute(async (transaction) => {
    await lockPurchases(transaction, [purchaseId])
    following = follow()
    await expectWaiting(database, 1)
    await meanwhile()
  })
  await following
}

test.each([
  ['a batch', false],
  ['a batch that was cancelled', true],
])('what one look finds of %s is recorded at once', async (_, isCancelled) => {
  const other = await aUser(app)
  await anOwedPurchase(app, buyer)
  const { purchase } = await anOwedPurchase(app, other)
  const claims = [
    await claim(app, buyer),
    await claim(app, other, { address: 'sandbox-wallet-of-another' }),
  ]
  await passTheDay(app)
  for (const each of claims) await tryToApprove(app, each)
  const { id } = await aBatch(app)
  if (isCancelled) await cancelBatch(app, { id })
  const { state } = await lookAtBatch(app, id)
  for (const { address, pays } of claims) await send(app, address, pays)
  // Otherwise its file would have the rest of a transaction that pays both.
  await followLate(purchase.id, async () => {
    expect(await lookAtBatch(app, id)).toMatchObject({ state, sent: 0 })
  })
  expect(await lookAtBatch(app, id)).toMatchObject({ state: 'sent', sent: 2 })
})

test.each([
  ['a batch', false],
  ['a cancelled batch', true],
])(
  'other acts and purchases do not wait while what pays %s waits for others',
  async (_, isCancelled) => {
    const other = await aUser(app)
    const { purchase: free } = await anOwedPurchase(app, buyer)
    const { purchase, receiptId } = await anOwedPurchase(app, other)
    const first = await claim(app, buyer)
    await app.passTime(1_000)
    const claims = [first, await claim(app, other, { address: 'sandbox-wallet-of-another' })]
    await passTheDay(app)
    for (const each of claims) await tryToApprove(app, each)
    const batch = await aBatch(app)
    if (isCancelled) await cancelBatch(app, batch)
    for (const { address, pays } of claims) await send(app, address, pays)
    await mine(app, 2)
    const { database } = app.open
    const { transaction_hash: hash } = await database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', 'sandbox-wallet-of-another')
      .executeTakeFirstOrThrow()
    let following: Promise<unknown> = Promise.resolve()
    const payByHand = database.transaction().execute(async (transaction) => {
      const paid = {
        receipt_id: receiptId,
        purchase_id: purchase.id,
        amount: cryptoAmount(1n),
        why: 'overpaid' as const,
        owed_since: app.clock.now(),
        chain: 'sandbox',
        transaction_hash: hash,
        paid_at: app.clock.now(),
      }
      await insertRefundPayment(transaction, paid, false)
      following = follow()
      await expectWaiting(database, 1)
      const states = await Promise.all(claims.map((each) => lookAtClaim(app, each)))
      expect(states.map(({ state }) => state)).toEqual(['confirmed', 'sent'])
      await sql`select from audit_head for update nowait`.execute(transaction)
      await sql`select from purchases where id = ${free.id} for update nowait`.execute(transaction)
      throw new Refusal('HashUsed')
    })
    await expect(payByHand).rejects.toThrow(Refusal)
    await following
    for (const each of claims) {
      expect(await lookAtClaim(app, each)).toMatchObject({ state: 'confirmed' })
    }
  },
)

test('a batch that is cancelled and found at once has its claim, or has it again', async () => {
  await anOwedPurchase(app, buyer)
  const claimed = await anApprovedClaim(app, buyer)
  const first = await aBatch(app)
  await cancelBatch(app, first)
  const second = await aBatch(app)
  await send(app, WALLET, claimed.pays)
  await mine(app, 2)
  await Promise.all([follow(), cancelBatch(app, second), follow(), tryToBatch(app)])
  await follow()
  await follow()
  expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'confirmed' })
  const doubles = app.open.database.selectFrom('refund_double_payments').selectAll()
  expect(await doubles.execute()).toEqual([])
})

test('of two batches that one gateway’s transaction is named for at once, one is paid', async () => {
  const other = await aUser(app)
  await anOwedPurchase(app, buyer)
  await anOwedPurchase(app, other)
  const claims = [await claim(app, buyer), await claim(app, other)]
  await passTheDay(app)
  const batches: { id: string }[] = []
  for (const each of claims) {
    await tryToApprove(app, each)
    batches.push(await aBatch(app, [each.id]))
  }
  const rails = [...app.services.rails].map(([name, { payouts: _payouts, ...rail }]) => {
    return [name, rail] as const
  })
  const gateway = { ...app.services, rails: new Map(rails) }
  const acting: Operator = {
    kind: 'token',
    id: null,
    name: 'Olga',
    role: null,
    sessionId: null,
    permissions: ['refunds.pay'],
    address: '127.0.0.1',
  }
  const namings = await Promise.allSettled(
    batches.map(({ id }) => nameBatchHash(gateway, { id: BigInt(id), hash: 'one-hash' }, acting)),
  )
  expect(namings.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(namings.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { reason: 'HashUsed' },
  })
  const states = await Promise.all(claims.map((each) => lookAtClaim(app, each)))
  expect(states.map(({ state }) => state).toSorted()).toEqual(['batched', 'confirmed'])
})
