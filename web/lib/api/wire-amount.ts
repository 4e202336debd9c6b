import {
  plainDecimal,
  PRICE_DECIMALS,
  price,
  type Price,
  USD_DECIMALS,
  usd,
  type Usd,
} from '#domain/money.ts'

/** A number of the wire, never negative, as base units; digits beyond the unit are cut off. */
export function baseUnits(value: number, decimals: number): bigint {
  const [whole = '', fraction = ''] = plainDecimal(value).split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}

export const wireUsd = (value: number): Usd => usd(baseUnits(value, USD_DECIMALS))
export const wirePrice = (value: number): Price => price(baseUnits(value, PRICE_DECIMALS))
