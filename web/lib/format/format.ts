import type { PageLanguage } from '#contract/language.ts'
import { plainDecimal, PRICE_DECIMALS } from '#domain/money.ts'
import { currentLanguage } from '#web/messages/language.ts'

/** An amount as the wire has it: a JSON number, or a decimal string where it is exact. */
export type Numeric = number | string

const DECIMALS_MOST = 5
/** Below it, dollars are not rounded to it. */
const CENT = 0.01

const grouped = numberFormat({ maximumFractionDigits: DECIMALS_MOST })
const tiny = numberFormat({ maximumSignificantDigits: 2 })
const coins = numberFormat({ maximumFractionDigits: 8, roundingMode: 'trunc' })
const exact = numberFormat({ maximumFractionDigits: 100 })
const exactCents = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 100 })
const twoDecimals = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
// Without useGrouping 1e18 would read 1000000T.
const compactOptions: Intl.NumberFormatOptions = {
  notation: 'compact',
  maximumFractionDigits: DECIMALS_MOST,
  useGrouping: true,
}
const spokenOptions: Intl.NumberFormatOptions = {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 3,
}

interface Abbreviation {
  /** Where it begins. */
  from: number
  compact: (value: Numeric) => string
  /** Three digits and a whole word. */
  spoken: (value: Numeric) => string
}

/**
 * K, M, B and T are only for English: a German Billion is a thousand times an English billion, so
 * German units are written as Germans do, and thousands have none.
 */
const abbreviations: Record<PageLanguage, Abbreviation> = {
  en: { from: 1000, compact: numberFormat(compactOptions), spoken: numberFormat(spokenOptions) },
  de: { from: 1_000_000, compact: germanUnits(compactOptions), spoken: germanUnits(spokenOptions) },
}

/**
 * Specification section 9: thousands separators and up to 5 decimals. What is not zero never reads
 * as zero: below the fifth decimal its first two digits are shown.
 */
export function formatNumber(value: Numeric): string {
  if (Number.isSafeInteger(value)) return groupInteger(Number(value))
  return isTiny(value) ? tiny(value) : grouped(value)
}

/**
 * Like `formatNumber`, but abbreviated: 1.5K, 2M, 10T in English, 2 Mio., 10 Bio. in German. The
 * server's rendering passes the language of the surrounding texts, since the page's may change
 * meanwhile.
 */
export function formatCompact(value: Numeric, language = currentLanguage()): string {
  const { from, compact } = abbreviations[language]
  return Math.abs(Number(value)) >= from ? compact(value) : formatNumber(value)
}

const SPOKEN_FROM = 1_000_000

/** As people say it, from a million on: 12.8 million. */
export function formatSpoken(value: Numeric): string {
  const { spoken } = abbreviations[currentLanguage()]
  return Math.abs(Number(value)) >= SPOKEN_FROM ? spoken(value) : formatNumber(value)
}

/** What is to be paid, or was, to the last digit that payments have; never more than it is. */
export function formatCoins(value: Numeric): string {
  return coins(value)
}

/** Every digit there is, with thousands separators; for titles and summaries that must add up. */
export function formatExact(value: Numeric): string {
  return exact(value)
}

/** Dollars to the cent, and below a cent to five decimals: `$1,000`, `$12.50`, `$0.00012`. */
export function formatUsd(value: Numeric): string {
  const amount = Number(value)
  const isBelowCent = Math.abs(amount) < CENT
  if (Number.isInteger(amount) || isBelowCent) return `$${formatNumber(value)}`
  return formatUsdCents(value)
}

/** Like `formatUsd`, with every digit: for a limit, or a price from which others are computed. */
export function formatUsdExact(value: string): string {
  const isWhole = !/\.\d*[1-9]/.test(value)
  return isWhole ? `$${exact(value)}` : `$${exactCents(value)}`
}

/** As `formatUsd`, and abbreviated like `formatCompact`. */
export function formatUsdCompact(value: Numeric): string {
  const { from, compact } = abbreviations[currentLanguage()]
  return Math.abs(Number(value)) >= from ? `$${compact(value)}` : formatUsd(value)
}

/** Dollars to the cent, rounded half up: what somebody earned. */
export function formatUsdCents(value: Numeric): string {
  return `$${twoDecimals(value)}`
}

const dates = localDates({ dateStyle: 'medium', timeStyle: 'short' })

/** An instant in the reader's own time zone and language. */
export function formatDate(instant: string): string {
  return dates(new Date(instant))
}

const days = localDates({ dateStyle: 'long', timeZone: 'UTC' }, 'en-GB')

/** A date such as `2026-11-22`, in the reader's language: the same date wherever they are. */
export function formatDay(day: string): string {
  return days(new Date(`${day}T00:00:00Z`))
}

/** Formats dates in the reader's time zone, in the current language of the interface. */
export function localDates(
  options: Intl.DateTimeFormatOptions,
  english = 'en',
): (date: Date | number) => string {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (date) => {
    const language = currentLanguage()
    const locale = language === 'en' ? english : language
    const format = formats.get(language) ?? new Intl.DateTimeFormat(locale, options)
    formats.set(language, format)
    return format.format(date)
  }
}

function isTiny(value: Numeric): boolean {
  const size = Math.abs(Number(value))
  return size > 0 && size < 10 ** -DECIMALS_MOST
}

/** As the formatter writes it. A page that shows nothing else can do without one. */
function groupInteger(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/**
 * Created on first use: the first one takes a browser longer than all of the page's own code. It
 * formats decimal strings digit by digit, though its type requires a literal.
 */
function numberFormat(options: Intl.NumberFormatOptions): (value: Numeric) => string {
  let formatter: Intl.NumberFormat | null = null
  return (value) => {
    formatter ??= new Intl.NumberFormat('en', options)
    return formatter.format(value as Intl.StringNumericLiteral)
  }
}

/** With German words, and with the point and the comma of all other amounts of the page. */
function germanUnits(options: Intl.NumberFormatOptions): (value: Numeric) => string {
  let formatter: Intl.NumberFormat | null = null
  return (value) => {
    formatter ??= new Intl.NumberFormat('de', options)
    const parts = formatter.formatToParts(value as Intl.StringNumericLiteral)
    return parts
      .map(({ type, value: text }) => (type === 'decimal' ? '.' : type === 'group' ? ',' : text))
      .join('')
  }
}

/**
 * Dollars for one token, with every digit: an amount divided by a rounded price would not match the
 * tokens shown beside it.
 */
export function formatPrice(value: number): string {
  return formatUsdExact(plainDecimal(value))
}

/** Six digits are enough for reading; cents are always kept. */
const short = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
})

/**
 * Dollars for one token where it is a figure that moves; the exact price stands in its title. A
 * price that five decimals would not show has few digits, and has them all.
 */
export function formatPriceShort(value: number): string {
  return isTiny(value) ? formatPrice(value) : formatUsdExact(short.format(value))
}

const sixDigits = new Intl.NumberFormat('en', {
  minimumSignificantDigits: 6,
  maximumSignificantDigits: 6,
})

/**
 * The greatest length of `formatPriceShort` for prices near this one: the room for one that moves.
 */
export function formatPriceLongest(value: number): string {
  return `$${isTiny(value) ? value.toFixed(PRICE_DECIMALS) : sixDigits.format(value)}`
}
