import {
  formatDecimal,
  PERCENTAGE_DECIMALS,
  type Percentage,
  percentage,
  plainDecimal,
  type Price,
  PRICE_DECIMALS,
  price,
  type TokenAmount,
  tokenAmount,
  toWireNumber,
  type Usd,
  USD_DECIMALS,
  usd,
} from '#domain/money.ts'
import { snakeKey, type SnakeKeys } from '#domain/key-case.ts'
import { type BonusTokens, bonusTypes } from '#domain/sale/bonus.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { assetDecimals, TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import type { ReleaseSchedule as WireSchedule } from './sale-page-shapes.ts'
import type { BonusTokens as WireBonusTokens } from './shapes.ts'

/**
 * How values are sent, in both directions if both are needed: amounts as JSON numbers of at most 15
 * significant digits, instants in ISO 8601, exact amounts as decimal text.
 */

export const usdToWire = (value: Usd) => toWireNumber(value, USD_DECIMALS)
export const usdFromWire = (value: number) => usd(unitsFromWire(value, USD_DECIMALS))

export const priceToWire = (value: Price) => toWireNumber(value, PRICE_DECIMALS)
export const priceFromWire = (value: number) => price(unitsFromWire(value, PRICE_DECIMALS))

export const percentageToWire = (value: Percentage) => toWireNumber(value, PERCENTAGE_DECIMALS)
export const percentageFromWire = (value: number) =>
  percentage(unitsFromWire(value, PERCENTAGE_DECIMALS))

export const tokensToWire = (value: TokenAmount, decimals: number) => toWireNumber(value, decimals)
export const tokensFromWire = (value: number, decimals: number) =>
  tokenAmount(unitsFromWire(value, decimals))

export const instantToWire = (instant: Date) => instant.toISOString()
export const instantFromWire = (text: string) => new Date(text)

type DateName<Name> = Name extends `${infer Noun}_at`
  ? `${Noun}_date`
  : Name extends 'at'
    ? 'date'
    : Name
type WithDates<Row> = {
  [Key in keyof Row as DateName<Key>]: Row[Key] extends Date
    ? string
    : Row[Key] extends Date | null
      ? string | null
      : Row[Key]
}

/** Keys are the code's own, so that there are few. */
const wireKeys = new Map<string, string>()

function wireKey(key: string): string {
  const known = wireKeys.get(key) ?? snakeKey(key).replace(/(^|_)at$/, '$1date')
  wireKeys.set(key, known)
  return known
}

/** A row by its names on the wire, where `seenAt` is `seen_date`, with its instants as texts. */
export function rowToWire<Row extends object>(row: Row): WithDates<SnakeKeys<Row>> {
  const wire: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row) as [string, unknown][]) {
    wire[wireKey(key)] = value instanceof Date ? instantToWire(value) : value
  }
  return wire as WithDates<SnakeKeys<Row>>
}

/** Converts a non-negative number from the wire to base units; excess digits are truncated. */
export function unitsFromWire(value: number, decimals: number): bigint {
  const [whole = '', fraction = ''] = plainDecimal(value).split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}

export const orNull = <From, To>(value: From | null, convert: (value: From) => To): To | null =>
  value === null ? null : convert(value)

/** In the order of `bonusTypes`. */
export function bonusTokensToWire(bonuses: BonusTokens, decimals: number): WireBonusTokens {
  const entries = bonusTypes.flatMap((type) => {
    const tokens = bonuses[type]
    return tokens === undefined ? [] : [[type, tokensToWire(tokens, decimals)] as const]
  })
  return Object.fromEntries(entries)
}

export const scheduleToWire = ({ shape, tranches }: ReleaseSchedule): WireSchedule => ({
  shape,
  tranches: tranches.map(({ months, percentage: part }) => {
    return { months, percentage: percentageToWire(part) }
  }),
})
export const scheduleFromWire = ({ shape, tranches }: WireSchedule): ReleaseSchedule => ({
  shape,
  tranches: tranches.map(({ months, percentage: part }) => {
    return { months, percentage: percentageFromWire(part) }
  }),
})

/** An exact amount of an asset by its name in the ledger, in the unit of {@link assetDecimals}. */
export function assetToWire(
  sale: Pick<Sale, 'project' | 'paymentTokens'>,
  asset: string | null,
  amount: bigint,
): string {
  const decimals = asset === TOKEN_ASSET ? sale.project.decimals : assetDecimals(sale, asset)
  return formatDecimal(amount, decimals)
}
