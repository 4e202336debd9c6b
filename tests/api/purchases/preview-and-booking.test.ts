import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saleContract } from '#contract/sale.ts'
import { formatDecimal, parseDecimal, tokenAmount, usd, USD_DECIMALS } from '#domain/money.ts'
import type { Sale, Stage } from '#domain/sale/sale.ts'
import { aPurchase, expectInvariants } from '#tests/kit/builders/a-purchase.ts'
import { WITHOUT_BOUNDS } from '#tests/kit/builders/domain-builders.ts'
import { bonusesByRates, expectedRates } from '#tests/kit/model/expected-bonuses.ts'
import { Fraction } from '#tests/kit/model/fraction.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { onTheWire } from '#tests/kit/builders/on-the-wire.ts'
import { dice } from '#tests/kit/builders/shuffled.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const PURCHASES = 300
const BUYERS = 60
const DAY_MS = 86_400_000
const PRICE_DECIMALS = 12

const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
const roll = dice(seed)

let app: TestApp
let buyers: { user: SeededUser; signedUpAt: Date; hasBought: boolean }[]
beforeAll(async () => {
  app = await startApp({ changeSale: withoutWaiting })
  const users = await manyUsers(app.open.database, BUYERS)
  const now = app.clock.now().getTime()
  // Every other one signed up longer ago than the bonus for that lasts.
  buyers = users.map((user, index) => ({
    user,
    signedUpAt: new Date(now - (index % 2 === 0 ? 0 : 2 * DAY_MS)),
    hasBought: false,
  }))
  for (const { user, signedUpAt } of buyers) {
    await app.open.database
      .updateTable('users')
      .set({ created_at: signedUpAt })
      .where('id', '=', user.id)
      .execute()
  }
})
afterAll(() => app.close())

function withoutWaiting(sale: Sale): Sale {
  return { ...sale, purchases: { ...sale.purchases, ...WITHOUT_BOUNDS, openPerUserMax: PURCHASES } }
}

/** From the smallest purchase to the largest, often just at a tier of the spending bonus. */
function anAmount({ bonuses }: Stage): bigint {
  const tier = bonuses.spending[roll(bonuses.spending.length)]
  const chance = roll(10)
  if (tier !== undefined && chance < 2) return tier.from
  if (tier !== undefined && chance < 4) return tier.from - 1n
  const cents = BigInt(2_500 + roll(chance < 7 ? 100_000 : 9_900_000))
  return cents * 10_000n + BigInt(roll(10_000))
}

it(
  `say the same, to the last unit, as exact fractions do (SEED=${seed})`,
  { timeout: 60_000 },
  async () => {
    const [stage] = app.services.sale.stages
    if (stage === undefined) throw new Error('A sale has a stage.')
    const seen = new Set<string>()

    for (let made = 0; made < PURCHASES; made += 1) {
      const buyer = buyers[roll(BUYERS)]
      const paymentToken =
        app.services.sale.paymentTokens[roll(app.services.sale.paymentTokens.length)]
      if (buyer === undefined || paymentToken === undefined) throw new Error('Nobody is there.')
      const spent = usd(anAmount(stage))
      const amount = Number(formatDecimal(spent, USD_DECIMALS))
      const body = { purchase_token_id: paymentToken.id, purchase_amount: amount }

      const preview = await app.client.call(saleContract.calculateBonus, { body }, buyer.user.as)
      const options = { usd: amount, token: paymentToken.id }
      const { tokens, token_price } = await aPurchase(app, buyer.user, options)
      const rates = expectedRates(stage.bonuses, {
        paymentTokenId: paymentToken.id,
        now: app.clock.now(),
        signedUpAt: buyer.signedUpAt,
        isFirstPurchase: !buyer.hasBought,
        spent,
      })
      buyer.hasBought = true
      const tokenPrice = parseDecimal(String(token_price), PRICE_DECIMALS) ?? 0n
      const base = Fraction.scaled(spent, USD_DECIMALS)
        .over(Fraction.scaled(tokenPrice, PRICE_DECIMALS))
        .wholeUnits(stage.tokenDecimals)
      const exact = bonusesByRates(rates, tokenAmount(base))
      const total = Object.values(exact).reduce((sum, bonus) => sum + bonus, base)

      expect(preview.body).toEqual(tokens.bonuses)
      expect(tokens).toEqual({ base: shown(base), bonuses: allShown(exact), total: shown(total) })
      for (const type of Object.keys(exact)) seen.add(type)
    }

    expect(seen.size, 'every type of bonus was among them').toBe(6)
    await expectInvariants(app)
  },
)

function shown(baseUnits: bigint): number {
  return onTheWire(formatDecimal(baseUnits, app.services.sale.project.decimals))
}

function allShown(amounts: Readonly<Record<string, bigint>>): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, shown(amount)]))
}
