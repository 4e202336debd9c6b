import type { Market, PaymentToken } from '#domain/sale/sale.ts'
import { freshPrice } from '#domain/sale/fresh-price.ts'
import { listProgress } from '#server/database/rails/chains.ts'
import { listFollowed } from '#server/database/delivery/distribution-events.ts'
import type { Rail } from '#server/ports/rail.ts'
import type { Services } from '#server/services.ts'

export type ChainState = {
  name: string
  /** The last block that was read; null if none was, and for gateways. */
  height: bigint | null
  /** Up to when everything on it is known; null if nothing is. */
  readThrough: Date | null
  /** Null if no reading has worked since this instance started, or if readings cannot fail. */
  readAgoMs: number | null
  /** Why the last reading failed; null if it worked. */
  fault: string | null
  /** The payment tokens that it takes, each with why it cannot be used now, if it cannot. */
  tokens: readonly { paymentToken: PaymentToken; fault: string | null }[]
}

export async function listChains(
  { database, rails, sale, clock }: Services,
  { prices }: Pick<Market, 'prices'>,
): Promise<ChainState[]> {
  const now = clock.now()
  const priceFault = (paymentToken: PaymentToken) =>
    freshPrice(prices, paymentToken, now) === null
      ? `The price of ${paymentToken.symbol} is not known now: see the log for the feeds`
      : null
  const progress = await listProgress(database)
  const enabled = sale.paymentTokens.filter(({ isEnabled }) => isEnabled)
  const stateOf = (rail: Rail, name: string): ChainState => {
    const read = progress.get(name)
    const { readAgoMs, fault } = rail.health?.(name) ?? { readAgoMs: null, fault: null }
    return {
      name,
      height: read === undefined || read.height === 0n ? null : read.height,
      readThrough: read === undefined || read.readThrough.getTime() === 0 ? null : read.readThrough,
      readAgoMs,
      fault,
      tokens: enabled
        .filter((token) => token.rail === rail.name && rail.chainOf(token) === name)
        .map((paymentToken) => ({
          paymentToken,
          fault: rail.faultOf?.(paymentToken) ?? priceFault(paymentToken),
        })),
    }
  }
  return [...rails.values()].flatMap((rail) => rail.chains.map((name) => stateOf(rail, name)))
}

/** The chains on which distributions are followed, with the health of that reading. */
export async function listDeliveryChains({
  database,
  deliveryChains,
}: Services): Promise<ChainState[]> {
  const followed = await listFollowed(database)
  const byChain = Map.groupBy(followed, ({ chain_id: chainId }) => Number(chainId))
  return [...byChain].map(([chainId, rows]) => {
    const chain = deliveryChains.get(chainId)
    // Ended ones are read less often.
    const open = rows.filter(({ ended_at: endedAt }) => endedAt === null)
    const heights = (open.length > 0 ? open : rows).flatMap(
      ({ read_height: height }) => height ?? [],
    )
    const missing = `EVM_RPC_URL_${chainId} is not set, so the server cannot see what is delivered`
    return {
      name: `delivery:eip155:${chainId}`,
      height: heights.toSorted((one, other) => Number(one - other))[0] ?? null,
      readThrough: null,
      ...(chain?.health() ?? { readAgoMs: null, fault: missing }),
      tokens: [],
    }
  })
}
