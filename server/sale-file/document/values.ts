import {
  ALL,
  parseDecimal,
  percentage,
  PERCENTAGE_DECIMALS,
  type Price,
  price,
  PRICE_DECIMALS,
  type Percentage,
  type TokenAmount,
  tokenAmount,
  type Usd,
  usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import { converted, type Reader, scalar } from './readers.ts'

/** Control characters, unpaired surrogates, and changes of text direction. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const LINK_LENGTH_MAX = 2000

export function text(lengthMax: number): Reader<string> {
  return scalar(`text of 1 to ${lengthMax} characters`, (given) => {
    const trimmed = given.trim()
    const isShown = trimmed !== '' && trimmed.length <= lengthMax && !UNPRINTABLE.test(trimmed)
    return isShown ? trimmed : undefined
  })
}

/** An identifier, which may be part of a URL. */
export const identifier = scalar(
  'a name of 1 to 64 letters, digits, hyphens, underscores and full stops',
  (given) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(given) ? given : undefined),
)

/**
 * The id of one of the sale’s payment tokens. Any id if none is known, which is a separate fault.
 */
export function paymentTokenId(known: ReadonlySet<string>): Reader<string> {
  if (known.size === 0) return identifier
  return scalar(`the id of a payment token (${[...known].join(', ')})`, (given) =>
    known.has(given) ? given : undefined,
  )
}

export const trueOrFalse = scalar('true or false', (given) =>
  given === 'true' || given === 'false' ? given === 'true' : undefined,
)

export function oneOf<T extends string>(...choices: readonly T[]): Reader<T> {
  return scalar(`one of ${choices.join(', ')}`, (given) =>
    choices.find((choice) => choice === given),
  )
}

export function wholeNumber(min: number, max: number): Reader<number> {
  return scalar(`a whole number from ${min} to ${max}`, (given) => {
    if (!/^\d{1,15}$/.test(given)) return undefined
    const value = Number(given)
    return value >= min && value <= max ? value : undefined
  })
}

type DecimalRange = {
  what: string
  decimals: number
  wholeDigitsMax: number
  isZeroAllowed: boolean
}

/** A plain decimal, parsed digit by digit into base units. */
function decimal({ what, decimals, wholeDigitsMax, isZeroAllowed }: DecimalRange): Reader<bigint> {
  const limit = 10n ** BigInt(wholeDigitsMax + decimals)
  const atLeast = isZeroAllowed ? '0 or more' : 'more than 0'
  const expected =
    `${what}: a plain decimal, ${atLeast}, ` +
    `with at most ${wholeDigitsMax} digits and ${decimals} decimals`
  return scalar(expected, (given) => {
    const units = parseDecimal(given, decimals)
    if (units === null || units >= limit) return undefined
    return units > 0n || isZeroAllowed ? units : undefined
  })
}

const dollarsOf = (isZeroAllowed: boolean): Reader<Usd> =>
  converted(
    decimal({
      what: 'an amount in dollars',
      decimals: USD_DECIMALS,
      wholeDigitsMax: 12,
      isZeroAllowed,
    }),
    usd,
  )

/** Dollars, zero included. */
export const dollars = dollarsOf(true)
/** Dollars, more than zero. */
export const someDollars = dollarsOf(false)

/** Dollars for one whole unit of something, more than zero. */
export const unitPrice: Reader<Price> = converted(
  decimal({
    what: 'a price in dollars',
    decimals: PRICE_DECIMALS,
    wholeDigitsMax: 12,
    isZeroAllowed: false,
  }),
  price,
)

export const percent: Reader<Percentage> = converted(
  decimal({
    what: 'a percentage',
    decimals: PERCENTAGE_DECIMALS,
    wholeDigitsMax: 4,
    isZeroAllowed: true,
  }),
  percentage,
)

export const percentUpTo100: Reader<Percentage> = converted(percent, (value, place) =>
  value <= ALL ? value : place.mismatch('a percentage from 0 to 100'),
)

/** An amount of the project's token, more than zero and a whole number of its base units. */
export function tokens(decimals: number): Reader<TokenAmount> {
  const what = 'an amount of tokens'
  return converted(
    decimal({ what, decimals, wholeDigitsMax: 18, isZeroAllowed: false }),
    tokenAmount,
  )
}

/** A URL. Unencrypted only for this machine, for trials. */
export const link = scalar(
  'a link that begins with https:// (http:// for localhost only)',
  (given) => (isLink(given) ? given : undefined),
)

/** A page of the product itself. */
export const page = scalar('a page of the site that begins with /', (given) =>
  isPage(given) ? given : undefined,
)

/** A URL, or a page of the product itself. */
export const linkOrPage = scalar(
  'a link that begins with https://, or a page of the site that begins with /',
  (given) => (isLink(given) || isPage(given) ? given : undefined),
)

function isLink(given: string): boolean {
  if (given.length > LINK_LENGTH_MAX || /[\s\\]/.test(given) || !/^https?:\/\//.test(given)) {
    return false
  }
  const url = URL.parse(given)
  if (url === null || url.username !== '' || url.password !== '') return false
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || isLocal
}

function isPage(given: string): boolean {
  return given.length <= LINK_LENGTH_MAX && /^\/(?![/\\])[^\s\\]*$/.test(given)
}
