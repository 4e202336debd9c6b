import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import {
  formatDecimal,
  PERCENTAGE_DECIMALS,
  type Percentage,
  type Price,
  PRICE_DECIMALS,
  toWireNumber,
  type Usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import { paymentTokenOf, type Sale } from '#domain/sale/sale.ts'

/** How values travel: amounts as JSON numbers, instants in ISO 8601, exact amounts as text. */

export const usdToWire = (value: Usd) => toWireNumber(value, USD_DECIMALS)
export const priceToWire = (value: Price) => toWireNumber(value, PRICE_DECIMALS)
export const percentageToWire = (value: Percentage) => toWireNumber(value, PERCENTAGE_DECIMALS)
export const instantToWire = (instant: Date) => instant.toISOString()

export const orNull = <From, To>(value: From | null, present: (value: From) => To): To | null =>
  value === null ? null : present(value)

/**
 * An amount of what the ledger calls an asset, exactly. What is none of the sale's has no decimals
 * that are known: it is told in base units.
 */
export function assetToWire(
  sale: Pick<Sale, 'project' | 'paymentTokens'>,
  asset: string | null,
  amount: bigint,
): string {
  const known = asset === TOKEN_ASSET ? sale.project : paymentTokenOf(sale, asset)
  return formatDecimal(amount, known?.decimals ?? 0)
}
