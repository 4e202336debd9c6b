import type { PageLanguage } from '#contract/language.ts'
import { unitsFromWire, priceFromWire } from '#contract/codec.ts'
import {
  formatDecimal,
  plainDecimal,
  type Price,
  PRICE_DECIMALS,
  toWireNumber,
  type Usd,
  usdForUnits,
} from '#domain/money.ts'
import { shownDecimals } from '#domain/sale/shown-tokens.ts'
import { currentLanguage } from '#web/messages/language.ts'
import { formatCompact, formatExact, formatNumber } from './format.ts'

/** More decimals than a number of the wire can hold of an amount. */
export const WIRE_DECIMALS = 18

/** What tokens are worth at a price in dollars, both as the wire has them. */
export function usdValueOf(tokens: number, tokenPrice: number): Usd {
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  return usdForUnits(units, priceFromWire(tokenPrice), WIRE_DECIMALS, 'down')
}

const CENTS_DECIMALS = 2
/** A column has no decimals, or at least these. */
const COLUMN_DECIMALS_MIN = 2

/**
 * What tokens are worth, as a decimal string in dollars: to the nearest cent, or exactly if that
 * would be zero, since tokens that somebody gets must never read as worth `$0`.
 */
export function valueText(units: bigint, tokenPrice: Price, tokenDecimals: number): string {
  const decimals = tokenDecimals + PRICE_DECIMALS
  const exact = units * tokenPrice
  const cent = 10n ** BigInt(decimals - CENTS_DECIMALS)
  const cents = (exact + cent / 2n) / cent
  return cents > 0n ? formatDecimal(cents, CENTS_DECIMALS) : formatDecimal(exact, decimals)
}

/** Tokens shown alone: rounded down, since nobody owns what rounding up would add. */
export function formatTokens(tokens: number): string {
  return formatTokenColumn([tokens])(tokens)
}

/** As `formatTokens`, for amounts below each other: they align. */
export function formatTokenColumn(column: readonly number[]): (tokens: number) => string {
  const format = formatColumn(column.map(cutTokens))
  return (tokens) => format(cutTokens(tokens))
}

/** Whether `formatTokens` leaves out digits. */
export function isCut(tokens: number): boolean {
  return cutTokens(tokens) !== plainDecimal(tokens)
}

function cutTokens(tokens: number): string {
  const units = unitsFromWire(tokens, WIRE_DECIMALS)
  const unit = 10n ** BigInt(WIRE_DECIMALS - shownDecimals([units], WIRE_DECIMALS))
  return formatDecimal(units - (units % unit), WIRE_DECIMALS)
}

/** What is left of an amount of tokens, both as the wire has them; never less than none. */
export function tokensLeft(total: number, sold: number): number {
  const left = unitsFromWire(total, WIRE_DECIMALS) - unitsFromWire(sold, WIRE_DECIMALS)
  return left > 0n ? toWireNumber(left, WIRE_DECIMALS) : 0
}

const COMPACT_DIGITS = 4

/**
 * Whole tokens, abbreviated and with as many digits as are read at a glance; below one unchanged,
 * so that they never read as none.
 */
export function formatTokensCompact(tokens: number, language?: PageLanguage): string {
  const read = Number(tokens.toPrecision(COMPACT_DIGITS))
  return formatCompact(tokens >= 1 ? Math.round(read) : tokens, language)
}

/**
 * The same number of decimals for all amounts of a column, so that they align: none, or at least
 * two, so that an amount reads the same alone and among others. Nothing is always `0`.
 */
export function formatColumn(amounts: readonly string[]): (amount: string) => string {
  const most = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const decimals = most === 1 ? COLUMN_DECIMALS_MIN : most
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return (amount) => (amount === '0' ? amount : format.format(amount as Intl.StringNumericLiteral))
}

const SHARE_DECIMALS = 2

/** As it is written after a figure. */
export function percentSign(language = currentLanguage()): string {
  return language === 'de' ? '\u00A0%' : '%'
}

/**
 * How much of a stage is sold, in percent. Rounded down, so that it says 100 only when nothing is
 * left; a first sale too small for that is shown as below the smallest share. German puts a space
 * before the sign.
 */
export function soldShare(sold: number, total: number, language = currentLanguage()): string {
  const sign = percentSign(language)
  const whole = unitsFromWire(total, WIRE_DECIMALS)
  const part = unitsFromWire(sold, WIRE_DECIMALS)
  if (whole === 0n || part === 0n) return `0${sign}`
  const share = (part * 10n ** BigInt(2 + SHARE_DECIMALS)) / whole
  const isTiny = share === 0n
  return `${isTiny ? '<' : ''}${formatNumber(formatDecimal(isTiny ? 1n : share, SHARE_DECIMALS))}${sign}`
}

/**
 * Which part of a stage an amount of tokens is, in percent: rounded down to two decimals, and to
 * two digits where that would be nothing.
 */
export function wantedShare(tokens: number, total: number): string {
  const whole = unitsFromWire(total, WIRE_DECIMALS)
  const part = unitsFromWire(tokens, WIRE_DECIMALS)
  if (whole === 0n || part === 0n) return '0%'
  const share = part >= whole ? 100n * WHOLE : (100n * WHOLE * part) / whole
  const digits = share.toString().length
  const unit = 10n ** BigInt(Math.max(0, Math.min(digits, WIRE_DECIMALS) - 2))
  return `${formatExact(formatDecimal(share - (share % unit), WIRE_DECIMALS))}%`
}

const WHOLE = 10n ** BigInt(WIRE_DECIMALS)
