import { formatDecimal, type Usd, USD_DECIMALS } from '#domain/money.ts'

/** `100,000.5`, as pages write it. */
export function inDollars(amount: Usd): string {
  const [whole = '', decimals] = formatDecimal(amount, USD_DECIMALS).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}
