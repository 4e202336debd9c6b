import type { PriceSource } from '#server/ports/price-source.ts'
import type { Clock } from '#server/ports/runtime.ts'
import { price, type Price } from '#domain/money.ts'

/** The largest deviation from the sale file's price, in millionths: 1.5 %. */
const DEVIATION_MAX = 15_000n
const MILLION = 1_000_000n
/** How often a price takes a new direction. */
const LEG_MS = 5 * 60 * 1000

/**
 * Prices that drift around those of the sale file. They are a function of the clock only, so all
 * instances agree and a restart causes no jump.
 */
export function createSandboxPrices(clock: Clock): PriceSource {
  return {
    fetchPrices: (paymentTokens) => {
      const now = clock.now()
      const prices = paymentTokens.flatMap(({ symbol, fixedPrice }) =>
        fixedPrice === null
          ? []
          : [[symbol, { price: wander(symbol, fixedPrice, now), sources: [] }] as const],
      )
      return Promise.resolve(new Map(prices))
    },
  }
}

function wander(symbol: string, around: Price, now: Date): Price {
  const leg = Math.floor(now.getTime() / LEG_MS)
  const passedMs = BigInt(now.getTime() - leg * LEG_MS)
  const from = deviationAt(symbol, leg)
  const to = deviationAt(symbol, leg + 1)
  const deviation = from + ((to - from) * passedMs) / BigInt(LEG_MS)
  const wandered = (around * (MILLION + deviation)) / MILLION
  return price(wandered > 0n ? wandered : 1n)
}

/** The deviation of a symbol at the start of a leg, in millionths: a hash of both (FNV-1a). */
function deviationAt(symbol: string, leg: number): bigint {
  let hash = 0x811c9dc5
  for (const character of `${symbol} ${leg}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  // Without this, consecutive legs would hardly differ in the upper bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash ^= hash >>> 13
  return (BigInt(hash >>> 0) % (2n * DEVIATION_MAX + 1n)) - DEVIATION_MAX
}
