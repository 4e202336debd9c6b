import { priceFromWire } from '#contract/codec.ts'
import { formatDecimal, plainDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { formatExact, formatUsdExact } from './format.ts'

/** A price is easy to read from a cent on. */
const LEAST_READABLE = priceFromWire(0.01)
const STEP = 1000n

/**
 * For how many tokens prices are given so that the lowest of them is at least a cent: 1, 1,000, a
 * million and so on.
 */
export function tokensPerPrice(prices: readonly number[]): number {
  const known = prices.map(priceFromWire).filter((price) => price > 0n)
  const [first = LEAST_READABLE] = known
  const lowest = known.reduce<bigint>((least, price) => (price < least ? price : least), first)
  let tokens = 1n
  while (lowest * tokens < LEAST_READABLE) tokens *= STEP
  return Number(tokens)
}

/** Three digits tell stages apart; cents are always kept. */
const short = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
})

/** Dollars for that many tokens, rounded for reading: `$0.10`. */
export function formatPriceOf(price: number, tokens: number): string {
  return withCents(formatUsdExact(short.format(dollarsFor(price, tokens))))
}

/** Dollars for so many tokens with every digit, where a buyer works out what they get. */
export function formatExactPriceOf(price: number, tokens: number): string {
  return withCents(formatUsdExact(dollarsFor(price, tokens)))
}

function dollarsFor(price: number, tokens: number): Intl.StringNumericLiteral {
  const dollars = formatDecimal(priceFromWire(price) * BigInt(tokens), PRICE_DECIMALS)
  return dollars as Intl.StringNumericLiteral
}

/** Whole dollars keep their cents, as those beside them have some. */
function withCents(text: string): string {
  return text.includes('.') ? text : `${text}.00`
}

/** What one token costs with every digit, for the title of a rounded price. */
export function formatExactPrice(price: number): string {
  return `$${formatExact(plainDecimal(price))}`
}
