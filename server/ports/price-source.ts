import type { SourcedPrice } from '#domain/sale/price.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/** Where prices come from. Throws `Unavailable` if there are none. */
export type PriceSource = {
  /** Dollars for one whole unit, by symbol; without symbols that have no price. */
  fetchPrices(paymentTokens: readonly PaymentToken[]): Promise<ReadonlyMap<string, SourcedPrice>>
}
