import { plainDecimal } from '#domain/money.ts'
import { currentLanguage } from '#web/messages/language.ts'

/** An amount as the wire has it: a JSON number, or a decimal string where it is exact. */
export type Numeric = number | string

const DECIMALS_MOST = 5
const COMPACT_FROM = 1_000

const grouped = numberFormat({ maximumFractionDigits: DECIMALS_MOST })
const tiny = numberFormat({ maximumSignificantDigits: 2 })
const exact = numberFormat({ maximumFractionDigits: 100 })
const cents = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: DECIMALS_MOST })
const twoDecimals = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
// Without useGrouping 1e18 would read 1000000T.
const compact = numberFormat({
  notation: 'compact',
  maximumFractionDigits: DECIMALS_MOST,
  useGrouping: true,
})

/**
 * Specification section 9: thousands separators and up to 5 decimals. What is not zero never reads
 * as zero: below the fifth decimal its first two digits are shown.
 */
export function formatNumber(value: Numeric): string {
  if (Number.isSafeInteger(value)) return groupInteger(Number(value))
  return isTiny(value) ? tiny(value) : grouped(value)
}

/** As `formatNumber`, and abbreviated from a thousand on: 1.5K, 2M, 10T. */
export function formatCompact(value: Numeric): string {
  return Math.abs(Number(value)) >= COMPACT_FROM ? compact(value) : formatNumber(value)
}

/** Every digit there is, with thousands separators; for titles and summaries that must add up. */
export function formatExact(value: Numeric): string {
  return exact(value)
}

/** Dollars: `$1,000`, `$12.50`, `$0.00012`. */
export function formatUsd(value: Numeric): string {
  const amount = Number(value)
  if (Number.isInteger(amount) || isTiny(value)) return `$${formatNumber(value)}`
  return `$${cents(value)}`
}

/**
 * As `formatUsd`, with every digit there is: a limit, or a price that others are worked out from.
 */
export function formatUsdExact(value: string): string {
  const decimals = value.split('.')[1]?.length ?? 0
  return decimals <= DECIMALS_MOST ? formatUsd(value) : `$${formatExact(value)}`
}

/** As `formatUsd`, and abbreviated from a thousand on. */
export function formatUsdCompact(value: Numeric): string {
  return Math.abs(Number(value)) >= COMPACT_FROM ? `$${compact(value)}` : formatUsd(value)
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

/** Formats dates in the reader's time zone, in the current language of the interface. */
export function localDates(options: Intl.DateTimeFormatOptions): (date: Date | number) => string {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (date) => {
    const language = currentLanguage()
    const format = formats.get(language) ?? new Intl.DateTimeFormat(language, options)
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
 * Made when it is first used: the first one takes a browser longer than all of the page's own code.
 * It takes decimal strings digit by digit, though its type asks for a literal.
 */
function numberFormat(options: Intl.NumberFormatOptions): (value: Numeric) => string {
  let formatter: Intl.NumberFormat | null = null
  return (value) => {
    formatter ??= new Intl.NumberFormat('en', options)
    return formatter.format(value as Intl.StringNumericLiteral)
  }
}

/**
 * Dollars for one token, with every digit there is: an amount divided by a rounded price would not
 * come out at the tokens shown beside it.
 */
export function formatPrice(value: number): string {
  return formatUsdExact(plainDecimal(value))
}

/** Six digits are enough to read; cents are kept whatever stands before them. */
const short = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 2,
  roundingPriority: 'morePrecision',
  useGrouping: false,
})

/** Dollars for one token where it is the figure of a card; the exact price stands in its title. */
export function formatPriceShort(value: number): string {
  return formatUsdExact(short.format(value))
}
