import type { SourcedPrice } from '#domain/sale/price.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/** Where prices come from. Throws `Unavailable` if there are none. */
export type PriceSource = {
  /** Dollars for one whole unit, by symbol; a symbol without a price is left out. */
  fetchPrices(paymentTokens: readonly PaymentToken[]): Promise<ReadonlyMap<string, SourcedPrice>>
}
