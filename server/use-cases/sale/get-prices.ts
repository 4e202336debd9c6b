import type { Price } from '#domain/money.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'
import type { ChartPeriod } from '#domain/sale/price.ts'
import { finalPrice } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/**
 * Dollars for one unit of each payment token, by symbol; without those that have no fresh price.
 */
export async function getPrices(services: Services): Promise<ReadonlyMap<string, Price>> {
  const { prices } = await services.market.read()
  const now = services.clock.now()
  return new Map(
    services.sale.paymentTokens.flatMap((paymentToken) => {
      const priced = freshPrice(prices, paymentToken, now)
      return priced === null ? [] : [[paymentToken.symbol, priced.price]]
    }),
  )
}

/** What a token costs once the sale has ended. */
export async function getFinalPrice(services: Services): Promise<Price> {
  const { progress } = await services.market.read()
  return finalPrice(services.sale, progress)
}

/**
 * How the token's price moved in the period up to now, oldest first. The line begins with the price
 * at the beginning of the period and ends with the present one, so that an unchanged price is a
 * line too.
 */
export async function getPriceChart({ chart }: Services, period: ChartPeriod) {
  return await chart.read(period)
}
