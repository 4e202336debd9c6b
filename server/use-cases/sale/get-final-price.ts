import type { Price } from '#domain/money.ts'
import { finalPrice } from '#domain/sale/stage.ts'
import type { Services } from '#server/services.ts'

/** What a token costs once the sale has ended. */
export async function getFinalPrice(services: Services): Promise<Price> {
  const { progress } = await services.market.read()
  return finalPrice(services.sale, progress)
}
