import type { ExactJson } from '#domain/exact-json.ts'

/** A public ticker: where it is asked, and how its answer is read. */
export type Feed = {
  name: string
  origin: string
  /** By symbol, what the feed calls its price. Only these are asked of it. */
  markets: Readonly<Record<string, string>>
  /** What its prices are in. */
  currency: 'USD' | 'USDT'
  /** Path and query that ask for all of `markets` at once. */
  path(markets: readonly string[]): string
  /** Throws `Unavailable` for what is not the documented form. */
  read(answer: ExactJson): FeedReading[]
}

/** A price as its feed wrote it. */
export type FeedReading = {
  market: string
  written: string | null
  /** Null where the feed does not say: then it is as old as its answer. */
  at: Date | null
}

/** What an operator may choose from. */
export const feedNames = ['coinbase', 'kraken', 'bitstamp', 'binance'] as const
export type FeedName = (typeof feedNames)[number]
