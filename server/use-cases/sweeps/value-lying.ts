import { freshPrice } from '#domain/sale/fresh-price.ts'
import { type Price, type Usd, usdForUnits } from '#domain/money.ts'
import type { LyingAsset, SweepSight, SweptAsset } from '#server/ports/sweeping.ts'
import type { Services } from '#server/services.ts'
import { loadMarket } from '#server/database/sale/market.ts'

/** Sweeping is worth it if it costs less than this share of the amount. */
const FEE_PARTS = 2n
/** As measured; a token's real gas is asked for when the list is made. */
const COIN_GAS = 21_000n
const TOKEN_GAS = 62_000n

export type Valued = LyingAsset & {
  /** Null if it has no price now. */
  usd: Usd | null
  paysOff: boolean
}

/**
 * What amounts at addresses are worth in dollars, and whether sweeping them costs less than half of
 * that. If the value or the fee has no price, the amount counts as worth sweeping: nobody can say
 * that it is not.
 */
export async function valueLying(
  { database, clock }: Services,
  { lying, coin }: SweepSight,
  gasPrice: bigint,
): Promise<Valued[]> {
  const { prices } = await loadMarket(database)
  const now = clock.now()
  const priceOf = ({ paymentToken }: SweptAsset): Price | null =>
    paymentToken && (freshPrice(prices, paymentToken, now)?.price ?? null)
  const coinPrice = priceOf(coin)
  return lying.map((each) => {
    const { asset, amount } = each
    const price = priceOf(asset)
    const usd = price === null ? null : usdForUnits(amount, price, asset.decimals, 'down')
    if (asset.contract === null) {
      return { ...each, usd, paysOff: amount >= FEE_PARTS * COIN_GAS * gasPrice }
    }
    const fee =
      coinPrice === null ? null : usdForUnits(TOKEN_GAS * gasPrice, coinPrice, coin.decimals, 'up')
    return { ...each, usd, paysOff: usd === null || fee === null || usd >= FEE_PARTS * fee }
  })
}
