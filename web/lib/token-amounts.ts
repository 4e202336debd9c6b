import { formatDecimal, type Usd, usdForUnits } from '#domain/money.ts'
import { formatNumber } from './format.ts'
import { baseUnits, wirePrice } from './wire-amount.ts'

/** From this many tokens on, hundredths are enough; below, all five decimals are shown. */
const MANY_TOKENS = 1000n
const DECIMALS_OF_MANY = 2
const DECIMALS_OF_FEW = 5

/** More decimals than a number of the wire can hold of an amount. */
export const WIRE_DECIMALS = 18

/** What tokens are worth at a price in dollars, both as the wire has them. */
export function worthOf(tokens: number, tokenPrice: number): Usd {
  const units = baseUnits(tokens, WIRE_DECIMALS)
  return usdForUnits(units, wirePrice(tokenPrice), WIRE_DECIMALS, 'down')
}

/** How many decimals of a token amount are shown. */
export function shownDecimals(tokens: bigint, tokenDecimals: number): number {
  const isMany = tokens >= MANY_TOKENS * 10n ** BigInt(tokenDecimals)
  return Math.min(tokenDecimals, isMany ? DECIMALS_OF_MANY : DECIMALS_OF_FEW)
}

/** Tokens as they are shown alone: cut, as nobody owns what rounding up would add. */
export function formatTokens(tokens: number): string {
  const units = baseUnits(tokens, WIRE_DECIMALS)
  const unit = 10n ** BigInt(WIRE_DECIMALS - shownDecimals(units, WIRE_DECIMALS))
  const cut = units - (units % unit)
  if (cut === 0n) return formatNumber(tokens)
  const text = formatDecimal(cut, WIRE_DECIMALS)
  return formatColumn([text])(text)
}

/**
 * Parts cut to whole multiples of `unit` so that they add up to their sum cut the same way: what is
 * missing after the cut goes to the parts that lost most. Without it, lines that a reader adds up
 * would come out a little below the total.
 */
export function partsThatAddUp(parts: readonly bigint[], unit: bigint): bigint[] {
  const sum = parts.reduce((total, part) => total + part, 0n)
  const lost = parts.map((part) => part % unit)
  const kept = parts.map((part, index) => part - (lost[index] ?? 0n))
  const missing = Number(
    (sum - (sum % unit) - kept.reduce((total, part) => total + part, 0n)) / unit,
  )
  const mostLost = lost
    .map((rest, index) => ({ rest, index }))
    .toSorted((one, other) => (other.rest > one.rest ? 1 : -1))
    .slice(0, missing)
  const raised = new Set(mostLost.map(({ index }) => index))
  return kept.map((part, index) => (raised.has(index) ? part + unit : part))
}

/**
 * The same number of decimals for all amounts of a column, so that they align: none, or at least
 * two, so that an amount reads the same alone and among others.
 */
export function formatColumn(amounts: readonly string[]): (amount: string) => string {
  const most = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const decimals = most === 1 ? DECIMALS_OF_MANY : most
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return (amount) => format.format(amount as Intl.StringNumericLiteral)
}
