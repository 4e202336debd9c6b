import { afterEach, beforeAll, expect, test } from 'vitest'

import { approvalsContract } from '#contract/operator/approvals.ts'
import { auditContract } from '#contract/operator/audit.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { usd } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { decideApproval, lockApproval } from '#server/database/operators/approvals.ts'
import { APPROVAL_TTL_MS, expireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { carryOut, carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aColleague, type OperatorPerson, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { expectInvariants, mine, part, pay, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { listRefunds, operator, owedPurchases } from '#tests/kit/builders/an-operator.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { someInstances } from '#tests/kit/servers/start-app.ts'

/**
 * Approvals and acts at one moment, on several instances. The embedded database has one connection,
 * so that only a real PostgreSQL can lose such a race.
 */
const INSTANCES = 3
const AT_ONCE = 12

const strictSale = (sale: Sale): Sale => ({
  ...quickSale(sale),
  approvals: { ...sale.approvals, refundOver: usd(0n) },
})

const { apps, oneOf } = someInstances(INSTANCES, { changeSale: strictSale })
let asker: OperatorPerson
let deciders: OperatorPerson[]
beforeAll(async () => {
  const first = oneOf(0)
  asker = await aColleague(first, 'Ada')
  deciders = await Promise.all(['Bob', 'Cleo', 'Dan'].map((name) => aColleague(first, name)))
})
afterEach(async () => {
  await expectInvariants(oneOf(0))
  // However they raced, the log is one chain.
  const verified = await oneOf(0).client.call(auditContract.verifyLog, { body: {} }, operator)
  expect(verified.body.fault).toBeNull()
  expect(apps.flatMap(({ complaints }) => complaints)).toEqual([])
})

async function askForRefunds(count: number) {
  const [buyer] = await manyUsers(oneOf(0).open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const owed = await owedPurchases(oneOf(0), buyer, count)
  return await Promise.all(
    owed.map(async ({ receiptId }, nth) => {
      const body = { hash: `the-hash-of-${receiptId}` }
      const input = { params: { id: receiptId }, headers: {}, body }
      return waitOf(await oneOf(nth).client.call(operatorContract.payRefund, input, asker.as))
    }),
  )
}

const countActs = async (act: string) => {
  const query = { act, limit: '100' }
  return (await oneOf(0).client.call(operatorContract.listActions, { query }, operator)).body.data
    .length
}

test('two persons who approve at one moment approve once, and it is done once', async () => {
  const [approval] = await askForRefunds(1)
  if (approval === undefined) throw new Error('Nothing waits.')
  const before = await countActs('payRefund')
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, nth) =>
      oneOf(nth).client.call(
        approvalsContract.approveAct,
        { params: { id: approval.id }, body: { hash: approval.hash } },
        deciders[nth % deciders.length]?.as,
      ),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const late = replies.filter(({ status }) => status !== 200)
  expect(late.map(({ refusal }) => refusal.reason)).toEqual(
    Array.from({ length: AT_ONCE - 1 }, () => 'ApprovalClosed'),
  )
  expect(await countActs('payRefund')).toBe(before + 1)
})

test('what was approved is done once, however many instances do it at one moment', async () => {
  const waiting = await askForRefunds(2)
  const before = await countActs('payRefund')
  const { open, clock } = oneOf(0)
  const approved = await Promise.all(
    waiting.map(({ id }) =>
      open.database.transaction().execute((transaction) =>
        decideApproval(transaction, {
          id,
          state: 'approved',
          reason: null,
          decided_by: deciders[0]?.id ?? null,
          decided_name: 'Bob',
          decided_at: clock.now(),
        }),
      ),
    ),
  )
  await Promise.all([
    ...apps.map(({ services }) => carryOutApproved(services)),
    ...apps.flatMap(({ services }) => approved.map((each) => carryOut(services, each))),
  ])
  expect(await countActs('payRefund')).toBe(before + 2)
  expect((await listRefunds(oneOf(0))).data).toEqual([])
})

test('one who approves and one who refuses at one moment: one of them counts', async () => {
  const waiting = await askForRefunds(4)
  const [bob, cleo] = deciders
  const outcomes = await Promise.all(
    waiting.map(async ({ id, hash }, nth) => {
      const params = { id }
      const replies = await Promise.all([
        oneOf(nth).client.call(approvalsContract.approveAct, { params, body: { hash } }, bob?.as),
        oneOf(nth + 1).client.call(
          approvalsContract.refuseAct,
          { params, body: { reason: 'No' } },
          cleo?.as,
        ),
        oneOf(nth + 2).client.call(approvalsContract.withdrawAct, { params }, asker.as),
      ])
      return replies.filter(({ status }) => status === 200).length
    }),
  )
  expect(outcomes).toEqual([1, 1, 1, 1])
})

test('asked for at one moment by one person, it waits once', async () => {
  const [buyer] = await manyUsers(oneOf(0).open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const [owed] = await owedPurchases(oneOf(0), buyer, 1)
  const input = {
    params: { id: owed?.receiptId ?? '' },
    headers: {},
    body: { hash: `the-hash-of-${owed?.receiptId}` },
  }
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, nth) =>
      oneOf(nth).client.call(operatorContract.payRefund, input, asker.as),
    ),
  )
  expect(new Set(replies.map((reply) => waitOf(reply).id)).size).toBe(1)
})

test('of several persons who mark a refund at one moment, one has asked', async () => {
  const [buyer] = await manyUsers(oneOf(0).open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const [owed] = await owedPurchases(oneOf(0), buyer, 1)
  const replies = await Promise.all(
    [asker, ...deciders].map(({ as, id }, nth) => {
      const body = { hash: `sent-by-${id}` }
      const input = { params: { id: owed?.receiptId ?? '' }, headers: {}, body }
      return oneOf(nth).client.call(operatorContract.payRefund, input, as)
    }),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409])
})

test('money that is marked as sent while more comes late is paid back or credited, never both', async () => {
  const [buyer] = await manyUsers(oneOf(0).open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const purchases = await owedPurchases(oneOf(0), buyer, 6)
  const now = oneOf(0).clock.now().getTime()
  for (const { clock } of apps) clock.pass(Math.max(0, now - clock.now().getTime()))
  // Enough late money that all of it together would be credited.
  for (const { purchase } of purchases) await pay(oneOf(0), purchase, part(purchase, 0.3))
  const settling = () => apps.map(({ services }) => watchChains(services))
  const [marked] = await Promise.all([
    Promise.all(
      purchases.map(async ({ receiptId }, nth) => {
        const body = { hash: `sent-as-more-came-${nth}` }
        const input = { params: { id: receiptId }, headers: {}, body }
        return await oneOf(nth).client.call(operatorContract.payRefund, input, asker.as)
      }),
    ),
    mine(oneOf(0), 2),
    ...settling(),
  ])
  await Promise.all([
    ...marked.map(async (reply, nth) => {
      if (reply.status !== 202) return
      const { id, hash } = waitOf(reply)
      const [params, bob] = [{ id }, deciders[0]?.as]
      const { approveAct, refuseAct } = approvalsContract
      await (nth % 2 === 0
        ? oneOf(nth).client.call(approveAct, { params, body: { hash } }, bob)
        : oneOf(nth).client.call(refuseAct, { params, body: { reason: 'No' } }, bob))
    }),
    ...settling(),
  ])
  await watchChains(oneOf(0).services)
  for (const { purchase, receiptId } of purchases) {
    const { database } = oneOf(0).open
    const paid = await database
      .selectFrom('refund_payments')
      .select('id')
      .where('receipt_id', '=', receiptId)
      .execute()
    const row = await database
      .selectFrom('purchases')
      .select(['credited_crypto', 'crypto_due'])
      .where('id', '=', purchase.id)
      .executeTakeFirstOrThrow()
    const share = Number((row.credited_crypto * 1000n) / row.crypto_due)
    expect(share).toBeCloseTo(paid.length === 1 ? 300 : 350, -1)
  }
})

test('asked for again at the moment at which it expires, it waits once more', async () => {
  const { open, services, client, passTime } = oneOf(0)
  const [buyer] = await manyUsers(open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  const [owed] = await owedPurchases(oneOf(0), buyer, 1)
  const ask = () => {
    const body = { hash: `the-hash-of-${owed?.receiptId}` }
    const input = { params: { id: owed?.receiptId ?? '' }, headers: {}, body }
    return client.call(operatorContract.payRefund, input, asker.as)
  }
  const { id } = waitOf(await ask())
  await passTime(APPROVAL_TTL_MS)
  await refreshPrices(services)
  const closed = await hold(open.database, async (transaction) => {
    const approval = await lockApproval(transaction, id)
    if (approval !== null) await expireApproval(services, transaction, approval)
  })
  const asking = ask()
  await expectWaiting(open.database, 1)
  await closed()
  expect(waitOf(await asking).id).not.toBe(id)
})
