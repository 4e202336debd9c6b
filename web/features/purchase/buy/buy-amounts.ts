import {
  formatDecimal,
  multiplyDivide,
  parseDecimal,
  PRICE_DECIMALS,
  type Price,
  USD_DECIMALS,
  type Usd,
  usd,
} from '#domain/money.ts'

/** The most decimals that can be typed (specification section 5). */
export const USD_FIELD_DECIMALS = 6
export const CRYPTO_FIELD_DECIMALS = 5
/** With fewer decimals a small amount of an expensive coin would be shown as 0. */
const TINY_CRYPTO_DECIMALS = 8

const CENTS_DECIMALS = 2

/** What the buyer typed last, and where: the other amount follows it. */
export type TypedAmount = {
  field: 'usd' | 'crypto'
  text: string
  /** What the coins were worth when they were typed. */
  usdText?: string
}

/**
 * Both amounts of the form from the one that was typed (specification section 9: token amount =
 * USD / token USD price). An amount that cannot be known yet is empty.
 */
export function buyAmounts(typed: TypedAmount, cryptoPrice: Price | null) {
  if (typed.field === 'usd') {
    return { usdText: typed.text, cryptoText: cryptoForUsd(typed.text, cryptoPrice) }
  }
  return { usdText: usdForCrypto(typed.text, cryptoPrice), cryptoText: typed.text }
}

/** What is typed as coins, with what it is worth now. */
export function typedCoins(text: string, cryptoPrice: Price | null): TypedAmount {
  return { field: 'crypto', text, usdText: usdForCrypto(text, cryptoPrice) }
}

/** The amount as if typed in dollars: coins without a price are worth what they were when typed. */
export function asTypedUsd(typed: TypedAmount, cryptoPrice: Price | null): TypedAmount {
  const { usdText } = buyAmounts(typed, cryptoPrice)
  return { field: 'usd', text: usdText || (typed.usdText ?? '') }
}

/** Reads the dollars of the form; null if no number was typed. */
export function readUsd(text: string): Usd | null {
  const amount = parseDecimal(tidy(text), USD_DECIMALS)
  return amount === null ? null : usd(amount)
}

/** A half-typed number as the number it stands for: `12.` is 12 and `.5` is 0.5. */
function tidy(text: string): string {
  return text.replace(/^\.(?=\d)/, '0.').replace(/(?<=\d)\.$/, '')
}

export function cryptoForUsd(usdText: string, cryptoPrice: Price | null): string {
  const dollars = readUsd(usdText)
  if (dollars === null || cryptoPrice === null || cryptoPrice === 0n) return ''
  const atDecimals = (decimals: number) => {
    const scale = 10n ** BigInt(decimals + PRICE_DECIMALS - USD_DECIMALS)
    return divideToNearest(dollars * scale, cryptoPrice)
  }
  const rounded = atDecimals(CRYPTO_FIELD_DECIMALS)
  const isTiny = rounded < 10n
  return isTiny
    ? formatDecimal(atDecimals(TINY_CRYPTO_DECIMALS), TINY_CRYPTO_DECIMALS)
    : formatDecimal(rounded, CRYPTO_FIELD_DECIMALS)
}

/** Dollars in whole cents; below one dollar in all six decimals. */
function usdForCrypto(cryptoText: string, cryptoPrice: Price | null): string {
  const amount = parseDecimal(tidy(cryptoText), TINY_CRYPTO_DECIMALS)
  if (amount === null || cryptoPrice === null) return ''
  const scale = 10n ** BigInt(TINY_CRYPTO_DECIMALS + PRICE_DECIMALS - USD_DECIMALS)
  const dollars = multiplyDivide(amount, cryptoPrice, scale, 'down')
  if (dollars < 10n ** BigInt(USD_DECIMALS)) return formatDecimal(dollars, USD_DECIMALS)
  const cents = divideToNearest(dollars, 10n ** BigInt(USD_DECIMALS - CENTS_DECIMALS))
  return formatDecimal(cents, CENTS_DECIMALS)
}

function divideToNearest(value: bigint, divisor: bigint): bigint {
  return (value + divisor / 2n) / divisor
}
