import { price } from '#domain/money.ts'
import type { FeedPrice } from '#domain/sale/price.ts'

/** Which feeds a price comes from; the price is a decimal string of 10^-12 dollars. */
export type StoredSource = { feed: string; price: string; at: string }

export function storeSources(sources: readonly FeedPrice[]): StoredSource[] {
  return sources.map(({ feed, price: given, at }) => ({
    feed,
    price: String(given),
    at: at.toISOString(),
  }))
}

export function readSources(stored: readonly StoredSource[]): FeedPrice[] {
  return stored.map(({ feed, price: given, at }) => ({
    feed,
    price: price(BigInt(given)),
    at: new Date(at),
  }))
}
