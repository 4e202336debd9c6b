import { describe, expect, it } from 'vitest'
import { price } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { createSandboxPrices } from './sandbox-prices.ts'

const START = Date.parse('2026-03-01T12:00:00Z')

function coin(symbol: string, fixedPrice: bigint | null): PaymentToken {
  return {
    id: symbol.toLowerCase(),
    name: symbol,
    symbol,
    chain: symbol,
    decimals: 8,
    minUsd: 0n as PaymentToken['minUsd'],
    fixedPrice: fixedPrice === null ? null : price(fixedPrice),
    rail: 'sandbox',
    providerIds: { sandbox: symbol },
    chainId: null,
    contract: null,
    priceFrom: 'feeds',
    testNetwork: null,
    isEnabled: true,
  }
}

async function pricesAt(ms: number, ...coins: PaymentToken[]) {
  return createSandboxPrices({ now: () => new Date(ms) }).fetchPrices(coins)
}

/** One coin's prices over a day, every ten seconds. */
async function dayOf(one: PaymentToken): Promise<bigint[]> {
  const times = Array.from({ length: 8640 }, (_, index) => START + index * 10_000)
  const prices = await Promise.all(times.map((ms) => pricesAt(ms, one)))
  return prices.map((found) => found.get(one.symbol)?.price ?? 0n)
}

describe('sandbox prices', () => {
  const around = 2500n * 10n ** 12n

  it('stay within 1.5 % of the price in the sale file, on both sides of it', async () => {
    const day = await dayOf(coin('ETH', around))
    for (const one of day) {
      expect(one).toBeGreaterThanOrEqual((around * 985n) / 1000n)
      expect(one).toBeLessThanOrEqual((around * 1015n) / 1000n)
    }
    expect(day.some((one) => one < (around * 995n) / 1000n)).toBe(true)
    expect(day.some((one) => one > (around * 1005n) / 1000n)).toBe(true)
  })

  it('move smoothly: at most 0.1 % in ten seconds, and rarely not at all', async () => {
    const day = await dayOf(coin('ETH', around))
    const steps = day.slice(1).map((one, index) => one - (day[index] ?? one))
    for (const step of steps) expect(step < 0n ? -step : step).toBeLessThan(around / 999n)
    expect(steps.filter((step) => step === 0n).length).toBeLessThan(steps.length / 20)
  })

  it('are the same for everybody who asks at the same time, and differ by coin', async () => {
    const coins = [coin('ETH', around), coin('BTC', around)]
    const first = await pricesAt(START, ...coins)
    expect(await pricesAt(START, ...coins)).toEqual(first)
    expect(first.get('ETH')?.price).not.toBe(first.get('BTC')?.price)
  })

  it('are never zero, and leave out what has no price in the sale file', async () => {
    const prices = await pricesAt(START, coin('DUST', 1n), coin('NONE', null))
    expect([...prices.keys()]).toEqual(['DUST'])
    expect(prices.get('DUST')?.price).toBeGreaterThan(0n)
  })
})
