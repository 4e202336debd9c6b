import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount, parseDecimal } from '#domain/money.ts'
import { eraseUserFields, lockUser } from '#server/database/accounts/users.ts'
import {
  mineSandboxBlocks,
  replaceSandboxBlocks,
  sendSandboxTransfer,
} from '#server/database/rails/sandbox-chain.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt, pay } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { expectWaiting, hold } from '#tests/kit/servers/database.ts'
import { someInstances } from '#tests/kit/servers/start-app.ts'

/**
 * Purchases of one referred user that are settled at once, on several instances. The embedded
 * database has one connection, so that only a real PostgreSQL can pay a reward twice.
 */
const INSTANCES = 4
const PURCHASES = 8
const ROUNDS = 3

const { apps, oneOf } = someInstances(INSTANCES)
afterEach(async () => {
  await expectInvariants(oneOf(0))
  expect(apps.flatMap(({ complaints }) => complaints)).toEqual([])
})

type Pair = { referrer: SeededUser; friend: SeededUser }

/** A referrer and a friend who came by the referrer's link. */
async function aReferral(): Promise<Pair> {
  const { database } = oneOf(0).open
  const [referrer, friend] = await manyUsers(database, 2)
  if (referrer === undefined || friend === undefined) throw new Error('There are no users.')
  await database
    .updateTable('users')
    .set({ referrer_id: referrer.id })
    .where('id', '=', friend.id)
    .execute()
  return { referrer, friend }
}

/** The friend buys for the threshold several times over, and pays it all. */
async function buyAndPayAtOnce({ friend }: Pair): Promise<Transaction[]> {
  const purchases = await Promise.all(
    Array.from({ length: PURCHASES }, (_, n) => aPurchase(oneOf(n), friend, { usd: 250 })),
  )
  await Promise.all(purchases.map((purchase, n) => pay(oneOf(n), purchase)))
  return purchases
}

/** Every instance settles what it finds, again and again and all at the same time. */
async function settleEverywhere(): Promise<void> {
  const settling = Array.from({ length: INSTANCES * 3 }, (_, n) => watchChains(oneOf(n).services))
  await Promise.all(settling)
  await watchChains(oneOf(0).services)
}

const mineTwo = () => mineSandboxBlocks(oneOf(0).open.database, 2, oneOf(0).clock.now())

async function rewardsOf({ referrer }: Pair) {
  return await oneOf(0)
    .open.database.selectFrom('rewards')
    .select(['id', 'status', 'tokens'])
    .where('referrer_id', '=', referrer.id)
    .execute()
}

/** What the ledger gave the referrer, less what it took back. */
async function balanceOf({ referrer }: Pair): Promise<bigint> {
  const account = `user:${referrer.id}`
  const transfers = await oneOf(0)
    .open.database.selectFrom('ledger_transfers')
    .select(['source', 'destination', 'amount'])
    .where((where) => where.or([where('source', '=', account), where('destination', '=', account)]))
    .execute()
  return transfers.reduce(
    (sum, { destination, amount }) => sum + (destination === account ? amount : -amount),
    0n,
  )
}

async function rewardMailsOf({ referrer }: Pair): Promise<number> {
  const rows = await oneOf(0)
    .open.database.selectFrom('outbox_mails')
    .select('id')
    .where('kind', '=', 'referral_rewarded')
    .where('user_id', '=', referrer.id)
    .execute()
  return rows.length
}

async function earnedBy({ referrer }: Pair): Promise<number> {
  const input = { params: { id: referrer.id } }
  const { body } = await oneOf(1).client.call(usersContract.getReferrals, input, referrer.as)
  expect(body.referred).toBe(1)
  return body.earned_tokens
}

/** Mailed once for each time that it came. */
async function expectRewardedOnce(pair: Pair, times = 1): Promise<void> {
  const rewards = await rewardsOf(pair)
  expect(rewards).toMatchObject([{ status: 'completed' }])
  expect(await balanceOf(pair)).toBe(rewards[0]?.tokens)
  expect(await rewardMailsOf(pair)).toBe(times)
  expect(await earnedBy(pair)).toBeGreaterThan(0)
}

describe('a reward, with many purchases of one friend settled at once', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'is paid once (round %i)',
    async () => {
      const pair = await aReferral()
      await buyAndPayAtOnce(pair)
      await mineTwo()
      await settleEverywhere()
      await expectRewardedOnce(pair)
      expect(await rewardsOf(pair)).toHaveLength(1)
    },
  )

  it('is paid once where two settlements of the friend are under way together', async () => {
    const pair = await aReferral()
    const { open } = oneOf(0)
    const [first, second] = [
      await aPurchase(oneOf(0), pair.friend, { usd: 250 }),
      await aPurchase(oneOf(1), pair.friend, { usd: 250 }),
    ]
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = open.database.transaction().execute(async (transaction) => {
      await sql`select from stage_counters for update`.execute(transaction)
      held.resolve()
      await released.promise
    })
    await held.promise
    await arrive(first)
    const one = watchChains(oneOf(0).services)
    await expectWaiting(oneOf(0).open.database, 1)
    await arrive(second)
    const other = watchChains(oneOf(1).services)
    await expectWaiting(oneOf(0).open.database, 2)
    released.resolve()
    await Promise.all([holding, one, other])
    for (const purchase of [first, second]) {
      expect((await lookAt(oneOf(2), pair.friend, purchase)).status).toBe('completed')
    }
    await expectRewardedOnce(pair)
  })

  it('is taken back when all of them are undone, and comes back with the first', async () => {
    const pair = await aReferral()
    const purchases = await buyAndPayAtOnce(pair)
    await mineTwo()
    await settleEverywhere()
    await expectRewardedOnce(pair)

    await replaceSandboxBlocks(oneOf(0).open.database, 3, oneOf(0).clock.now())
    await settleEverywhere()
    expect(await rewardsOf(pair)).toMatchObject([{ status: 'failed' }])
    expect(await balanceOf(pair)).toBe(0n)
    expect(await earnedBy(pair)).toBe(0)

    const [again] = purchases
    if (again === undefined) throw new Error('Nothing was bought.')
    await pay(oneOf(1), await lookAt(oneOf(1), pair.friend, again))
    await mineTwo()
    await settleEverywhere()
    await expectRewardedOnce(pair, 2)
  })
})

describe('a friend who is erased while their purchase is settled', () => {
  it('is erased, and the purchase completes', async () => {
    const pair = await aReferral()
    const { open, services, client } = oneOf(0)
    const purchase = await aPurchase(oneOf(0), pair.friend, { usd: 250 })
    const release = await hold(open.database, (transaction) =>
      transaction
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', pair.friend.id)
        .forUpdate()
        .execute(),
    )
    const erasing = client.call(
      usersContract.eraseUser,
      { params: { id: pair.friend.id }, body: undefined },
      pair.friend.as,
    )
    await expectWaiting(open.database, 1)
    await arrive(purchase)
    const settling = watchChains(services)
    await expectWaiting(open.database, 2)
    await release()
    expect((await erasing).status).toBe(204)
    await settling
    const { status } = await open.database
      .selectFrom('purchases')
      .select('status')
      .where('id', '=', purchase.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('completed')
    expect(await rewardsOf(pair)).toMatchObject([{ status: 'completed' }])
  })
})

describe('a referrer whose account is erased while a reward is earned', () => {
  it('earns nothing that nobody could claim', async () => {
    const pair = await aReferral()
    const { open, services } = oneOf(0)
    const purchases = await buyAndPayAtOnce(pair)
    await mineTwo()
    const erase = await hold(open.database, async (transaction) => {
      await lockUser(transaction, pair.referrer.id)
      await eraseUserFields(transaction, pair.referrer.id, oneOf(0).clock.now())
    })
    const settling = watchChains(services)
    await expectWaiting(open.database, 1)
    await erase()
    await settling
    for (const purchase of purchases) {
      expect((await lookAt(oneOf(0), pair.friend, purchase)).status).toBe('completed')
    }
    expect(await rewardsOf(pair)).toEqual([])
    expect(await balanceOf(pair)).toBe(0n)
  })
})

/** A payment is on the chain, with its confirmations; nobody has read of it yet. */
async function arrive({ id, payment_address, payment_amount }: Transaction): Promise<void> {
  const { open, clock } = oneOf(0)
  await sendSandboxTransfer(open.database, {
    transactionHash: `sandbox-${id}`,
    address: payment_address ?? '',
    paymentTokenId: 'eth',
    amount: cryptoAmount(parseDecimal(payment_amount ?? '', 18) ?? 0n),
    sentAt: clock.now(),
  })
  await mineSandboxBlocks(open.database, 2, clock.now())
}
