import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'

import { usd } from '#domain/money.ts'
import { replaceSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  expectInvariants,
  mailsOf,
  mine,
  part,
  pay,
  quickSale,
} from '#tests/kit/builders/a-purchase.ts'
import { listRefunds, owedPurchases, tryToPay } from '#tests/kit/builders/an-operator.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { someInstances } from '#tests/kit/servers/start-app.ts'

/**
 * What operators and settlements do to the same refunds at once, on several instances. The embedded
 * database has one connection, so that only a real PostgreSQL can lose such a race.
 */
const INSTANCES = 3

const { apps, oneOf } = someInstances(INSTANCES, { changeSale: quickSale })
afterEach(async () => {
  await expectInvariants(oneOf(0))
  await expectPaidCounted()
  expect(apps.flatMap(({ complaints }) => complaints)).toEqual([])
})

async function aBuyer(): Promise<SeededUser> {
  const [buyer] = await manyUsers(oneOf(0).open.database, 1)
  if (buyer === undefined) throw new Error('There is no buyer.')
  return buyer
}

/** The clock of every instance, after one of them has let time pass. */
function synchronize(): void {
  const now = oneOf(0).clock.now().getTime()
  for (const { clock } of apps) clock.pass(Math.max(0, now - clock.now().getTime()))
}

async function owed(count: number) {
  const purchases = await owedPurchases(oneOf(0), await aBuyer(), count)
  synchronize()
  return purchases
}

const paymentsOf = async (receiptIds: readonly string[]) =>
  await oneOf(0)
    .open.database.selectFrom('refund_payments')
    .selectAll()
    .where('receipt_id', 'in', receiptIds)
    .execute()

/** The running sum of what was paid is what counting gives. */
async function expectPaidCounted(): Promise<void> {
  const { rows } = await sql<{ paid: bigint; sum: bigint }>`
    select count(*) as paid, coalesce((select paid from refund_sums), 0) as sum
    from refund_payments`.execute(oneOf(0).open.database)
  expect(rows.map(({ sum }) => sum)).toEqual(rows.map(({ paid }) => paid))
}

async function settleAgain(purchaseId: string, number: number): Promise<void> {
  const app = oneOf(number)
  await sql`
    insert into settlements_due (purchase_id) values (${purchaseId})
    on conflict do nothing`.execute(app.open.database)
  await watchChains(app.services)
}

describe('one refund that is marked as paid many times at once', () => {
  it('is paid once, by whichever hash was first', async () => {
    const [one] = await owed(1)
    const receiptId = one?.receiptId ?? ''
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tryToPay(oneOf(n), receiptId, `hash-number-${n % 4}`)),
    )
    const paid = replies.filter(({ status }) => status === 200)
    expect(new Set(paid.map(({ body }) => body.paid_hash)).size).toBe(1)
    expect(
      replies.filter(({ status }) => status !== 200).map(({ refusal }) => refusal.reason),
    ).toEqual(Array(12 - paid.length).fill('RefundNotOwed'))
    expect(await paymentsOf([receiptId])).toHaveLength(1)
    if (one === undefined) throw new Error('Nothing is owed.')
    const mails = await mailsOf(oneOf(0), one.purchase)
    expect(mails.filter((kind) => kind === 'purchase_refund_paid')).toHaveLength(1)
  })

  it('is never owed again by settlements that are under way', async () => {
    const purchases = await owed(6)
    await Promise.all(
      purchases.flatMap(({ purchase, receiptId }, n) => [
        settleAgain(purchase.id, n),
        tryToPay(oneOf(n + 1), receiptId, `the-hash-of-${receiptId}`),
        settleAgain(purchase.id, n + 2),
      ]),
    )
    const ids = purchases.map(({ receiptId }) => receiptId)
    expect(await paymentsOf(ids)).toHaveLength(6)
    const { data } = await listRefunds(oneOf(0), { limit: '100' })
    expect(data.filter(({ receipt_id }) => ids.includes(receipt_id))).toEqual([])
  })
})

describe('refunds that are marked with one hash at once', () => {
  it('let one of them have it', async () => {
    const purchases = await owed(5)
    const replies = await Promise.all(
      purchases.map(({ receiptId }, n) => tryToPay(oneOf(n), receiptId, 'hash-of-one-refund')),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ refusal }) => refusal.reason))).toEqual(new Set(['HashUsed']))
  })

  it('all have it where it is marked as shared', async () => {
    const purchases = await owed(5)
    const replies = await Promise.all(
      purchases.map(({ receiptId }, n) =>
        tryToPay(oneOf(n), receiptId, 'hash-of-five-refunds', { shared: true }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const payments = await paymentsOf(purchases.map(({ receiptId }) => receiptId))
    expect(payments.map(({ place }) => place).toSorted()).toEqual([0, 1, 2, 3, 4])
  })
})

describe('a refund that takes two people, acted on alone', () => {
  it('waits for another one with its hash, and keeps it from nothing', async () => {
    const [first, second] = await owed(2)
    const { open } = oneOf(0)
    const release = await hold(open.database, (transaction) =>
      transaction
        .selectFrom('refunds_due')
        .select('receipt_id')
        .where('receipt_id', '=', first?.receiptId ?? '')
        .forUpdate()
        .execute(),
    )
    const paysOne = tryToPay(oneOf(0), first?.receiptId ?? '', 'hash-of-both-refunds', {
      shared: true,
    })
    await expectWaiting(open.database, 1)
    const strict = oneOf(1).services
    const { sale } = strict
    strict.sale = { ...sale, approvals: { ...sale.approvals, refundOver: usd(0n) } }
    const paysOther = tryToPay(oneOf(1), second?.receiptId ?? '', 'hash-of-both-refunds', {
      shared: true,
    })
    await expectWaiting(open.database, 2)
    strict.sale = sale
    await release()
    expect([(await paysOne).status, (await paysOther).status]).toEqual([200, 200])
    const acts = await open.database
      .selectFrom('operator_actions')
      .select('act')
      .orderBy('id', 'desc')
      .limit(3)
      .execute()
    expect(acts.map(({ act }) => act)).toEqual(['payRefund', 'actAlone', 'payRefund'])
  })
})

describe('a refund that is paid while its purchase changes', () => {
  it('is either paid and buys nothing, or credited and not paid', async () => {
    const purchases = await owed(4)
    // Enough late money that all of it together would be credited.
    for (const { purchase } of purchases) await pay(oneOf(0), purchase, part(purchase, 0.3))
    await Promise.all([
      mine(oneOf(0), 2),
      ...purchases.map(({ receiptId }, n) =>
        tryToPay(oneOf(n), receiptId, `paid-as-more-came-${n}`),
      ),
      ...apps.map(({ services }) => watchChains(services)),
    ])
    await watchChains(oneOf(1).services)
    for (const { purchase, receiptId } of purchases) {
      const paid = await paymentsOf([receiptId])
      const row = await oneOf(0)
        .open.database.selectFrom('purchases')
        .select(['status', 'credited_crypto', 'crypto_due'])
        .where('id', '=', purchase.id)
        .executeTakeFirstOrThrow()
      expect(row.status).toBe('completed')
      const share = Number((row.credited_crypto * 1000n) / row.crypto_due)
      expect(share).toBeCloseTo(paid.length === 1 ? 300 : 350, -1)
    }
  })

  it('leaves the books in balance when its receipt goes at the same moment', async () => {
    const purchases = await owed(4)
    const { database } = oneOf(0).open
    await replaceSandboxBlocks(database, 3, oneOf(0).clock.now())
    await Promise.all([
      ...apps.map(({ services }) => watchChains(services)),
      ...purchases.map(({ receiptId }, n) => tryToPay(oneOf(n), receiptId, `paid-as-it-went-${n}`)),
    ])
    await watchChains(oneOf(1).services)
    const { data } = await listRefunds(oneOf(0), { state: 'all', limit: '100' })
    const states = data
      .filter(({ receipt_id }) => purchases.some(({ receiptId }) => receiptId === receipt_id))
      .map(({ state }) => state)
    expect(new Set(states).isSubsetOf(new Set(['uncovered']))).toBe(true)
  })
})
