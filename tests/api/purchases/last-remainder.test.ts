import { afterEach, describe, expect, test } from 'vitest'

import { saleContract } from '#contract/sale.ts'
import { percentage, usd } from '#domain/money.ts'
import type { StageBonuses } from '#domain/sale/bonus.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  passExpiry,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { NO_BONUSES, smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const percent = (whole: number) => percentage(BigInt(whole) * 10_000n)
const USD_UNIT = 0.000001

const BONUSES: StageBonuses = {
  ...NO_BONUSES,
  base: percent(20),
  spending: [{ from: usd(500_000_000n), rate: percent(5) }],
  paymentTokens: [{ paymentTokenId: 'usdt', rate: percent(10) }],
  signup: { firstPurchase: percent(15), limitedTime: null },
}

let app: TestApp
let regular: SeededUser
let newcomer: SeededUser
afterEach(async () => {
  await expectAllWell(app)
  await app.close()
})

/** A stage of 1,000 tokens for a dollar each, of which the regular buyer has most already. */
async function openNearlySoldOut(bonuses: StageBonuses, spent: number): Promise<void> {
  app = await startApp({ changeSale: smallStages({ bonuses, minUsd: usd(10_000_000n) }) })
  const [one, other] = await manyUsers(app.open.database, 2)
  if (one === undefined || other === undefined) throw new Error('There are no users.')
  regular = one
  newcomer = other
  await buyAndPay(app, regular, { usd: spent, token: 'eth' })
}

const minimumOf = (id: string) => app.client.call(saleContract.getTokenMinimum, { params: { id } })

/** The least that a form accepts: the larger of the stage's minimum and the token's. */
async function formMinimum(token: string): Promise<number> {
  const stage = await app.client.call(saleContract.getActiveStage, {})
  const { body } = await minimumOf(token)
  return Math.max(stage.body.min_fiat_amount ?? 0, body.min_amount_fiat)
}

/** The amount that the server reports as left to a buyer who asks for more. */
async function statedAvailable(
  buyer: SeededUser,
  token: string,
  usdAmount: number,
): Promise<number> {
  const { message } = (await tryToBuy(app, buyer, { usd: usdAmount, token })).refusal
  const stated = /^Only \$([\d.]+) worth of tokens are left right now$/.exec(message)?.[1]
  if (stated === undefined) throw new Error(message)
  return Number(stated)
}

const expectSoldOut = async () =>
  expect((await app.client.call(saleContract.getActiveStage, {})).body).toMatchObject({
    name: 'Stage 2',
  })

describe('a last remainder below the minimum', () => {
  test('without bonuses is bought whole for the minimum that the form shows', async () => {
    await openNearlySoldOut(NO_BONUSES, 996)
    expect(await formMinimum('eth')).toBe(4)
    const below = await tryToBuy(app, newcomer, { usd: 4 - USD_UNIT, token: 'eth' })
    expect(below.refusal).toMatchObject({ code: 400, message: "Can't spend less than $4" })
    await buyAndPay(app, newcomer, { usd: 4, token: 'eth' })
    await expectSoldOut()
  })

  test.each([
    ['with every bonus', () => newcomer, 'usdt', 1.45],
    ['with the bonus for a first purchase', () => newcomer, 'eth', 1.35],
    ['with the bonus of the payment token', () => regular, 'usdt', 1.3],
    ['with the bonus of the stage alone', () => regular, 'eth', 1.2],
  ])('is bought whole by a buyer %s', async (_, buyer, token, tokensPerDollar) => {
    // 1,000 less 710 with 20, 15 and 5 %: 6 tokens are left.
    await openNearlySoldOut(BONUSES, 710)
    const minimum = await formMinimum(token)
    const below = await tryToBuy(app, buyer(), { usd: cents(minimum - 0.01), token })
    expect(below.refusal.reason).toBe('BelowMinimum')
    const available = await statedAvailable(buyer(), token, 9)
    expect(available).toBeCloseTo(6 / tokensPerDollar, 4)
    expect(available).toBeGreaterThanOrEqual(minimum)
    await buyAndPay(app, buyer(), { usd: available, token })
    await expectSoldOut()
  })

  test.each(['eth', 'usdt', 'btc'])(
    'in %s is refused or booked just as the form says, to the last unit',
    async (token) => {
      await openNearlySoldOut(BONUSES, 710)
      const minimum = await formMinimum(token)
      const below = await tryToBuy(app, newcomer, { usd: units(minimum - USD_UNIT), token })
      expect(below.refusal.message).toMatch(/^Can't spend less than \$/)
      expect((await tryToBuy(app, newcomer, { usd: minimum, token })).status).toBe(201)
    },
  )
})

test('what others leave unreserved is a last remainder until they give back theirs', async () => {
  await openNearlySoldOut(NO_BONUSES, 900)
  expect((await minimumOf('eth')).body).toMatchObject({ is_last_remainder: false })
  await aPurchase(app, regular, { usd: 96 })
  expect((await minimumOf('eth')).body).toMatchObject({
    min_amount_fiat: 4,
    is_last_remainder: true,
  })
  await passExpiry(app)
  expect((await minimumOf('eth')).body).toMatchObject({
    min_amount_fiat: 10,
    is_last_remainder: false,
  })
})

test('a last remainder that somebody else has reserved is none for now', async () => {
  await openNearlySoldOut(NO_BONUSES, 996)
  await aPurchase(app, regular, { usd: 4 })
  for (const amount of [3, 4, 10]) {
    expect((await tryToBuy(app, newcomer, { usd: amount })).refusal).toMatchObject({
      code: 409,
      message: 'No tokens are left right now',
    })
  }
})

describe('the preview of bonuses', () => {
  const preview = async (buyer: SeededUser, usdAmount: number, token: string) => {
    const body = { purchase_amount: usdAmount, purchase_token_id: token }
    return await app.client.call(saleContract.calculateBonus, { body }, buyer.as)
  }

  test.each(['eth', 'usdt'])(
    'in %s refuses what booking refuses, with the same words, to the last unit',
    async (token) => {
      await openNearlySoldOut(BONUSES, 500)
      const available = await statedAvailable(newcomer, token, 500)
      const refused = await preview(newcomer, units(available + USD_UNIT), token)
      expect(refused.refusal).toMatchObject({
        code: 409,
        reason: 'NoTokensLeft',
        message: (await tryToBuy(app, newcomer, { usd: 500, token })).refusal.message,
      })
      expect((await preview(newcomer, available, token)).status).toBe(200)
      expect((await tryToBuy(app, newcomer, { usd: available, token })).status).toBe(201)
    },
  )

  test('is refused while all is reserved, and goes on once something is released', async () => {
    await openNearlySoldOut(NO_BONUSES, 900)
    await aPurchase(app, regular, { usd: 100 })
    expect((await preview(newcomer, 10, 'eth')).refusal.message).toBe(
      'No tokens are left right now',
    )
    await passExpiry(app)
    expect((await preview(newcomer, 10, 'eth')).status).toBe(200)
  })
})

const cents = (amount: number) => Number(amount.toFixed(2))
const units = (amount: number) => Number(amount.toFixed(6))
