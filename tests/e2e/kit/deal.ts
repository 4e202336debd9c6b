import type { Stage } from '#contract/shapes.ts'

export const SPENT_USD = 1000

/** What a first purchase of $1,000 in MATIC gets in the first week of the shipped sale. */
export const bonusPercentages = {
  'Stage Bonus': 10n,
  '$ Amount Purchase Bonus': 5n,
  'Limited Time Bonus': 5n,
  'Signup Bonus': 3n,
  'First Purchase Bonus': 5n,
  'Payment Token Bonus': 5n,
}
export const bonusPercentage = Object.values(bonusPercentages).reduce((sum, part) => sum + part, 0n)

export type Tokens = { base: bigint; bonuses: Record<string, bigint>; total: bigint }

const TOKEN_UNIT = 10n ** 18n
const PRICE_UNIT = 10n ** 12n

/** The tokens of the purchase in base units, worked out apart from the product's own code. */
export function tokensFor(stage: Stage): Tokens {
  const price = BigInt(stage.token_price.toFixed(12).replace('.', ''))
  const base = (BigInt(SPENT_USD) * PRICE_UNIT * TOKEN_UNIT) / price
  const bonuses = Object.fromEntries(
    Object.entries(bonusPercentages).map(([label, part]) => [label, (base * part) / 100n]),
  )
  const total = Object.values(bonuses).reduce((sum, bonus) => sum + bonus, base)
  return { base, bonuses, total }
}

/** The number on the wire: whole tokens, at most 15 significant digits. */
export function wire(baseUnits: bigint): number {
  const digits = baseUnits.toString().slice(0, 15).padEnd(baseUnits.toString().length, '0')
  return Number(`${digits.slice(0, -18)}.${digits.slice(-18)}`)
}

/** As a page writes it: thousands separators and up to five decimals. */
export function written(baseUnits: bigint): string {
  return wire(baseUnits).toLocaleString('en', { maximumFractionDigits: 5 })
}
