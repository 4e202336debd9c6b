/**
 * Money is integers in base units. Each kind of amount is its own type, so that dollars are never
 * added to tokens, and no binary float takes part in any calculation.
 */

declare const unit: unique symbol

/** An integer number of base units of `Unit`. */
export type Amount<Unit extends string> = bigint & { readonly [unit]: Unit }

/** US dollars in millionths (6 decimals, the most the wire accepts). */
export type Usd = Amount<'usd'>
/** The project's token in its base units (`project.decimals`). */
export type TokenAmount = Amount<'token'>
/** A payment token (BTC, USDT, …) in its base units (`payment_tokens[].decimals`). */
export type CryptoAmount = Amount<'crypto'>
/** US dollars for one whole unit of something, in 10^-12 dollars. */
export type Price = Amount<'price'>
/** A percentage in ten-thousandths of one percent: 5 % is 50_000. */
export type Percentage = Amount<'percentage'>

export type Rounding = 'down' | 'up'

export const USD_DECIMALS = 6
export const PRICE_DECIMALS = 12
export const PERCENTAGE_DECIMALS = 4

/** The wire carries amounts as JSON numbers of at most this many significant digits. */
const WIRE_DIGITS_MAX = 15

export const usd = (millionths: bigint) => millionths as Usd
export const tokenAmount = (baseUnits: bigint) => baseUnits as TokenAmount
export const cryptoAmount = (baseUnits: bigint) => baseUnits as CryptoAmount
export const price = (units: bigint) => units as Price
export const percentage = (units: bigint) => units as Percentage

export function add<U extends string>(...amounts: Amount<U>[]): Amount<U> {
  return amounts.reduce((sum, amount) => sum + amount, 0n) as Amount<U>
}

export function subtract<U extends string>(from: Amount<U>, amount: Amount<U>): Amount<U> {
  return (from - amount) as Amount<U>
}

export function least<U extends string>(first: Amount<U>, ...rest: Amount<U>[]): Amount<U> {
  return rest.reduce((least, amount) => (amount < least ? amount : least), first)
}

export function greatest<U extends string>(first: Amount<U>, ...rest: Amount<U>[]): Amount<U> {
  return rest.reduce((greatest, amount) => (amount > greatest ? amount : greatest), first)
}

/** `value × numerator ÷ denominator` for amounts that are not negative, rounded once at the end. */
export function multiplyDivide(
  value: bigint,
  numerator: bigint,
  denominator: bigint,
  rounding: Rounding,
): bigint {
  const product = value * numerator
  const quotient = product / denominator
  return rounding === 'up' && product % denominator !== 0n ? quotient + 1n : quotient
}

/** `amount` scaled by `part ÷ whole`, in the amount's own unit. */
export function proportion<U extends string>(
  amount: Amount<U>,
  part: bigint,
  whole: bigint,
  rounding: Rounding,
): Amount<U> {
  return multiplyDivide(amount, part, whole, rounding) as Amount<U>
}

/** 100 %. */
export const ALL: Percentage = percentage(1_000_000n)

/** `rate` percent of `amount`, rounded down. */
export function percentOf<U extends string>(amount: Amount<U>, rate: Percentage): Amount<U> {
  return proportion(amount, rate, ALL, 'down')
}

/** How many base units `value` dollars buy at `unitPrice` dollars for one whole unit. */
export function unitsForUsd(
  value: Usd,
  unitPrice: Price,
  decimals: number,
  rounding: Rounding,
): bigint {
  const scale = 10n ** BigInt(decimals + PRICE_DECIMALS - USD_DECIMALS)
  return multiplyDivide(value, scale, unitPrice, rounding)
}

/** What `baseUnits` are worth in dollars at `unitPrice` dollars for one whole unit. */
export function usdForUnits(
  baseUnits: bigint,
  unitPrice: Price,
  decimals: number,
  rounding: Rounding,
): Usd {
  const scale = 10n ** BigInt(decimals + PRICE_DECIMALS - USD_DECIMALS)
  return usd(multiplyDivide(baseUnits, unitPrice, scale, rounding))
}

const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/
/** Longer than any number that a double can be. */
const DECIMAL_LENGTH_MAX = 400

/**
 * Reads a plain decimal (`12`, `0.5`) as base units. Anything else is null: signs, exponents,
 * separators, digits of other scripts, more decimals than the unit has, or hundreds of digits.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  if (text.length > DECIMAL_LENGTH_MAX) return null
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Writes base units as the shortest plain decimal: `1500000` with 6 decimals is `1.5`. */
export function formatDecimal(baseUnits: bigint, decimals: number): string {
  const sign = baseUnits < 0n ? '-' : ''
  const digits = (baseUnits < 0n ? -baseUnits : baseUnits).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`)
}

/** The same with thousands separators, for sentences that people read: `1,234.5`. */
export function formatGrouped(baseUnits: bigint, decimals: number): string {
  return groupThousands(formatDecimal(baseUnits, decimals))
}

export function groupThousands(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

/** The JSON number that stands for an amount on the wire: cut to 15 significant digits. */
export function toWireNumber(baseUnits: bigint, decimals: number): number {
  const text = baseUnits.toString()
  const excess = Math.max(0, text.replace('-', '').length - WIRE_DIGITS_MAX)
  return Number(`${text.slice(0, text.length - excess)}e${excess - decimals}`)
}

/** A JSON number as a plain decimal: what JavaScript writes as `1e-7` is `0.0000001`. */
export function plainDecimal(value: number): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (match === null) return String(value)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  const pointAt = whole.length + Number(exponent)
  if (pointAt <= 0) return `${sign}0.${'0'.repeat(-pointAt)}${digits}`
  if (pointAt >= digits.length) return sign + digits + '0'.repeat(pointAt - digits.length)
  return `${sign}${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`
}

/**
 * Reads a JSON number as base units by its shortest decimal form, which is what the sender wrote
 * for every number of at most 15 significant digits. Null if {@link parseDecimal} would be.
 */
export function fromWireNumber(value: number, decimals: number): bigint | null {
  return parseDecimal(plainDecimal(value), decimals)
}
