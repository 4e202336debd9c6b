import { unitsFromWire, priceFromWire } from '#contract/codec.ts'
import {
  formatDecimal,
  type Price,
  PRICE_DECIMALS,
  toWireNumber,
  type Usd,
  usdForUnits,
} from '#domain/money.ts'
import { formatCompact, formatNumber } from './format.ts'

/** From this many tokens on, hundredths are enough; below, all five decimals are shown. */
const MANY_TOKENS = 1000n
const DECIMALS_OF_MANY = 2
const DECIMALS_OF_FEW = 5

/** More decimals than a number of the wire can hold of an amount. */
export const WIRE_DECIMALS = 18

/** What tokens are worth at a price in dollars, both as the wire has them. */
export function usdValueOf(tokens: number, tokenPrice: number): Usd {
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  return usdForUnits(units, priceFromWire(tokenPrice), WIRE_DECIMALS, 'down')
}

const CENTS_DECIMALS = 2

/**
 * What tokens are worth, as a decimal string in dollars: to the nearest cent, and exactly where
 * that would be nothing, as tokens that somebody gets never read as worth `$0`.
 */
export function valueText(units: bigint, tokenPrice: Price, tokenDecimals: number): string {
  const decimals = tokenDecimals + PRICE_DECIMALS
  const exact = units * tokenPrice
  const cent = 10n ** BigInt(decimals - CENTS_DECIMALS)
  const cents = (exact + cent / 2n) / cent
  return cents > 0n ? formatDecimal(cents, CENTS_DECIMALS) : formatDecimal(exact, decimals)
}

/** Digits of what is so little that the usual decimals would show nothing of it. */
const DIGITS_OF_LEAST = 2

/**
 * How many decimals are shown of token amounts that stand together: those of the first, and more
 * where one of the others, or itself, would read as nothing.
 */
export function shownDecimals(amounts: readonly bigint[], tokenDecimals: number): number {
  const [first = 0n] = amounts
  const isMany = first >= MANY_TOKENS * 10n ** BigInt(tokenDecimals)
  const usual = Math.min(tokenDecimals, isMany ? DECIMALS_OF_MANY : DECIMALS_OF_FEW)
  const digits = amounts.filter((amount) => amount > 0n).map((amount) => String(amount).length)
  const firstDigitAt = tokenDecimals - Math.min(...digits) + 1
  const isSeen = digits.length === 0 || firstDigitAt <= usual
  return isSeen ? usual : Math.min(tokenDecimals, firstDigitAt + DIGITS_OF_LEAST - 1)
}

/** Tokens as they are shown alone: cut, as nobody owns what rounding up would add. */
export function formatTokens(tokens: number): string {
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  const unit = 10n ** BigInt(WIRE_DECIMALS - shownDecimals([units], WIRE_DECIMALS))
  const text = formatDecimal(units - (units % unit), WIRE_DECIMALS)
  return formatColumn([text])(text)
}

/** What is left of an amount of tokens, both as the wire has them; never less than none. */
export function tokensLeft(total: number, sold: number): number {
  const left = unitsFromWire(total, WIRE_DECIMALS) - unitsFromWire(sold, WIRE_DECIMALS)
  return left > 0n ? toWireNumber(left, WIRE_DECIMALS) : 0
}

/** Whole tokens, abbreviated; below one as they are, so that some of them never read as none. */
export function formatTokensCompact(tokens: number): string {
  return formatCompact(tokens >= 1 ? Math.round(tokens) : tokens)
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

const SHARE_DECIMALS = 2
const TOKEN_DECIMALS = 18

/**
 * How much of a stage is sold, in percent. Rounded down, so that 100 is said only when nothing is
 * left; a first sale too small for that is said to be below the smallest share.
 */
export function soldShare(sold: number, total: number): string {
  const whole = unitsFromWire(total, TOKEN_DECIMALS)
  const part = unitsFromWire(sold, TOKEN_DECIMALS)
  if (whole === 0n || part === 0n) return '0%'
  const share = (part * 10n ** BigInt(2 + SHARE_DECIMALS)) / whole
  const isTiny = share === 0n
  return `${isTiny ? '<' : ''}${formatNumber(formatDecimal(isTiny ? 1n : share, SHARE_DECIMALS))}%`
}
