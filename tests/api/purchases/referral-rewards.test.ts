import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { usersContract } from '#contract/users.ts'
import { usd } from '#domain/money.ts'
import { replaceSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aPurchase,
  balanceOf,
  buyAndPay,
  expectAllWell,
  lookAt,
  mine,
  pay,
  reorganise,
} from '#tests/kit/builders/a-purchase.ts'
import { NO_BONUSES, smallStages } from '#tests/kit/builders/small-stages.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterEach(async () => {
  await expectAllWell(app)
})
afterAll(() => app.close())

const referredBy = (referrer: RegisteredUser, on = app) =>
  aUser(on, { referrals: { referred_by: referrer.user.id } })

const transactionsOf = async (owner: RegisteredUser) =>
  (
    await app.client.call(
      usersContract.listTransactions,
      { params: { id: owner.user.id }, query: {} },
      owner.as,
    )
  ).body.data

const statsOf = async (owner: RegisteredUser) =>
  (await app.client.call(usersContract.getReferrals, { params: { id: owner.user.id } }, owner.as))
    .body

/** $25 at the price of the first stage's first token. */
const REWARD_TOKENS = 250_000

describe('a referral reward', () => {
  it('comes once, when what the friend has spent reaches the threshold', async () => {
    const referrer = await aUser(app)
    const friend = await referredBy(referrer)
    await buyAndPay(app, friend, { usd: 249.99 })
    expect(await statsOf(referrer)).toEqual({ referred: 1, earned_tokens: 0 })
    await buyAndPay(app, friend, { usd: 10 })
    const earned = (await statsOf(referrer)).earned_tokens
    expect(earned).toBeCloseTo(REWARD_TOKENS, -3)
    expect(await balanceOf(app, referrer)).toBe(earned)
    const [reward] = await transactionsOf(referrer)
    expect(reward).toMatchObject({
      type: 'referral',
      status: 'completed',
      payment_token: null,
      payment_address: null,
      tokens: { base: earned, bonuses: {}, total: earned },
    })
    expect(reward?.completed_date).not.toBeNull()
    expect(await lookAt(app, referrer, { id: reward?.id ?? '' })).toEqual(reward)

    await buyAndPay(app, friend, { usd: 1000 })
    expect((await statsOf(referrer)).earned_tokens).toBe(earned)
  })

  it('is taken back with the purchase that earned it, and returns with it', async () => {
    const referrer = await aUser(app)
    const friend = await referredBy(referrer)
    const purchase = await buyAndPay(app, friend, { usd: 300 })
    const earned = await balanceOf(app, referrer)
    expect(earned).toBeGreaterThan(0)
    await reorganise(app, 3)
    expect(await balanceOf(app, referrer)).toBe(0)
    expect(await transactionsOf(referrer)).toMatchObject([
      { type: 'referral', status: 'failed', status_reason: 'reorged', completed_date: null },
    ])
    await pay(app, await lookAt(app, friend, purchase))
    await mine(app, 2)
    expect(await balanceOf(app, referrer)).toBe(earned)
    expect(await transactionsOf(referrer)).toHaveLength(1)
  })

  it('is taken back for no stated reason if an operator undoes the purchase, with a mail each time', async () => {
    const referrer = await aUser(app)
    const { id } = await buyAndPay(app, await referredBy(referrer), { usd: 300 })
    await sendMails(app.services)
    const mark = (call: 'failPurchase' | 'releasePurchase') =>
      app.client.call(
        operatorContract[call],
        { params: { id }, headers: named, body: { reason: 'To look into it' } },
        operator,
      )
    await mark('failPurchase')
    expect(await transactionsOf(referrer)).toMatchObject([
      { type: 'referral', status: 'failed', status_reason: null, completed_date: null },
    ])
    await sendMails(app.services)
    await mark('releasePurchase')
    expect(await balanceOf(app, referrer)).toBeGreaterThan(0)
    await sendMails(app.services)
    const mails = app.mailbox.taken.filter(({ to }) => to === referrer.email)
    const about = mails.filter(({ subject }) => /have earned|reward/.test(subject))
    expect(about.map(({ subject }) => subject.replace(/[\d,.]+ HUH/, 'X'))).toEqual([
      'You have earned X',
      'Your reward of X is taken back',
      'Your reward of X is back',
    ])
    expect(about[1]?.text).toContain('do not count at present, so the reward is taken back')
    // Nobody has bought, and its tokens are worth something else by now.
    expect(about[2]?.text).toContain('count again, so your reward is back')
    expect(about[2]?.text).not.toContain('$')
  })

  it('is mailed only if it has not been taken back before the mail is sent', async () => {
    const [referrer, other] = [await aUser(app), await aUser(app)]
    await buyAndPay(app, await referredBy(referrer), { usd: 300 })
    await sendMails(app.services)
    await buyAndPay(app, await referredBy(other), { usd: 300 })
    await reorganise(app, 3)
    await sendMails(app.services)
    const isMailed = ({ email }: RegisteredUser) =>
      app.mailbox.taken.some(({ to, subject }) => to === email && subject.includes('have earned'))
    expect([referrer, other].map(isMailed)).toEqual([true, false])
  })

  it('goes to nobody whose account was erased; what was earned before stays', async () => {
    const referrer = await aUser(app)
    const [early, late] = [await referredBy(referrer), await referredBy(referrer)]
    await buyAndPay(app, early, { usd: 300 })
    const params = { id: referrer.user.id }
    await app.client.call(usersContract.eraseUser, { params, body: {} }, referrer.as)
    const purchase = await buyAndPay(app, late, { usd: 300 })
    expect(purchase.status).toBe('completed')
    const rewards = () =>
      app.open.database
        .selectFrom('rewards')
        .select(['referee_id', 'status'])
        .where('referrer_id', '=', referrer.user.id)
        .execute()
    expect(await rewards()).toEqual([{ referee_id: early.user.id, status: 'completed' }])
    await buyAndPay(app, early, { usd: 300 })
    await reorganise(app, 10)
    expect(await rewards()).toEqual([{ referee_id: early.user.id, status: 'failed' }])
  })

  it('says that the chain took it back also while the payment waits in a new block', async () => {
    const referrer = await aUser(app)
    const purchase = await buyAndPay(app, await referredBy(referrer), { usd: 300 })
    const { database } = app.open
    await replaceSandboxBlocks(database, 3, app.clock.now())
    await sql`
      with tip as (update sandbox_chain set revision = revision + 1 returning revision)
      update sandbox_transfers set is_gone = false, revision = tip.revision from tip
      where address = ${purchase.payment_address}`.execute(database)
    await mine(app, 1)
    expect(await transactionsOf(referrer)).toMatchObject([
      { type: 'referral', status: 'failed', status_reason: 'reorged' },
    ])
    await mine(app, 1)
    expect(await transactionsOf(referrer)).toMatchObject([
      { type: 'referral', status: 'completed', status_reason: null },
    ])
  })

  it('comes for each friend', async () => {
    const referrer = await aUser(app)
    const friends = [await referredBy(referrer), await referredBy(referrer)]
    for (const friend of friends) await pay(app, await aPurchase(app, friend, { usd: 250 }))
    await mine(app, 2)
    expect(await transactionsOf(referrer)).toHaveLength(2)
    expect((await statsOf(referrer)).referred).toBe(2)
  })

  it('is at the price of the last stage if the payment that earns it sells out the sale', async () => {
    const referrals = { earn: usd(10_000_000n), spend: usd(5_000_000_000n) }
    const stage = { bonuses: { ...NO_BONUSES, referrals } }
    const soldOut = await startApp({ changeSale: smallStages(stage, stage) })
    const referrer = await aUser(soldOut)
    const friend = await referredBy(referrer, soldOut)
    await buyAndPay(soldOut, friend, { usd: 1000 })
    await buyAndPay(soldOut, friend, { usd: 4000 })
    expect(await balanceOf(soldOut, referrer)).toBe(5)
    await expectAllWell(soldOut)
    await soldOut.close()
  })
})
