import { percentage, PRICE_DECIMALS, type Price, price } from '#domain/money.ts'
import { fixedPriceOf, OWN_FEED } from '#domain/sale/fresh-price.ts'
import {
  agreeOnPrice,
  type FeedPrice,
  type QuorumRule,
  type SourcedPrice,
} from '#domain/sale/price.ts'
import type { PaymentToken, Sale } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { PriceSource } from '#server/ports/price-source.ts'
import type { Clock, Log, Outgoing } from '#server/ports/runtime.ts'
import { type Feed, type FeedName, feeds, marketOf } from './feeds.ts'
import { ownFeed, type OwnFeedSettings } from './own-feed.ts'
import { createFeedReader, type FeedReader } from './feed-reader.ts'

export type PriceFeedSettings = Readonly<{
  feeds: readonly FeedName[]
  /** How many feeds must agree on a price. */
  feedsMin: number
  /** How far a price may be from the median, in millionths of the median. */
  outlierMillionths: number
  /** The seller's own; null if there is none. It is one more feed that may agree. */
  own: OwnFeedSettings | null
}>

type Options = {
  settings: PriceFeedSettings
  outgoing: Outgoing
  clock: Clock
  log: Log
}

/** Older prices are ignored: two refreshes later they would be too old to sell at. */
const AGE_MAX_MS = 60_000
/** The currency of feeds that do not quote in dollars. */
const QUOTED_IN = 'USDT'

/** The symbols whose price too few feeds know, each as a sentence. */
export function listUnpriced(settings: PriceFeedSettings, { paymentTokens }: Sale): string[] {
  const enabled = paymentTokens.filter(({ isEnabled }) => isEnabled)
  const byOwn = enabled.filter(({ priceFrom }) => priceFrom === 'own')
  const byFeeds = enabled.filter(({ priceFrom }) => priceFrom === 'feeds')
  const isOwnMissing = byOwn.length > 0 && settings.own === null
  const [first] = byOwn
  const ownSentences = isOwnMissing
    ? [`PRICE_FEED_URL must be set: the price of ${first?.symbol} comes from it`]
    : []
  return [...ownSentences, ...listTooFew(settings, byFeeds)]
}

function listTooFew(settings: PriceFeedSettings, tokens: readonly PaymentToken[]): string[] {
  const all = [...settings.feeds.map((name) => feeds[name]), ...ownFeeds(settings)]
  const knownBy = (symbol: string) => all.filter((feed) => marketOf(feed, symbol) !== undefined)
  const isQuotedInPriced = knownBy(QUOTED_IN).length >= settings.feedsMin
  return [...new Set(tokens.map(({ symbol }) => symbol))].flatMap((symbol) => {
    const knowing = knownBy(symbol)
      .filter(({ currency }) => currency === 'USD' || isQuotedInPriced)
      .map(({ name }) => name)
    if (knowing.length >= settings.feedsMin) return []
    const found = knowing.length === 0 ? 'no feed' : `only ${knowing.join(', ')}`
    return [
      `PRICE_FEEDS has ${found} for the price of ${symbol}, and PRICE_FEEDS_MIN asks for ` +
        `${settings.feedsMin}: add feeds, set price_from of ${symbol}, or take it out of the sale file`,
    ]
  })
}

/**
 * Prices from public tickers: the median of those that agree. A symbol on which too few agree has
 * no price, which is logged once; the others are not affected.
 */
export function createPriceFeeds({ settings, outgoing, clock, log }: Options): PriceSource {
  const rule: QuorumRule = {
    feedsMin: settings.feedsMin,
    ageMaxMs: AGE_MAX_MS,
    outlierBeyond: percentage(BigInt(settings.outlierMillionths)),
  }
  const asked = [...settings.feeds.map((name) => feeds[name]), ...ownFeeds(settings)]
  const readers = asked.map((feed) => createFeedReader(feed, { outgoing, clock, log }))
  const lost = new Set<string>()

  return {
    async fetchPrices(paymentTokens) {
      const origins = new Map(paymentTokens.map(({ symbol, priceFrom }) => [symbol, priceFrom]))
      const prices = fixedPrices(paymentTokens, clock.now())
      const symbols = [...origins.keys()].filter((symbol) => origins.get(symbol) !== 'fixed')
      if (symbols.length === 0) return prices
      const quotes = await askAll(readers, [...new Set([...symbols, QUOTED_IN])])
      const agree = (symbol: string, dollars: SourcedPrice | null) => {
        const given = pricesOf(symbol, quotes, dollars)
        return origins.get(symbol) === 'own'
          ? agreeOnPrice(given.filter(isOwn), { ...rule, feedsMin: 1 }, clock.now())
          : agreeOnPrice(given, rule, clock.now())
      }

      const quotedIn = agree(QUOTED_IN, null)
      for (const symbol of symbols) {
        const agreed = agree(symbol, quotedIn.ok ? quotedIn : null)
        if (agreed.ok) {
          prices.set(symbol, { price: agreed.price, sources: agreed.sources })
          if (lost.delete(symbol)) log.info({ symbol }, 'The price feeds agree again')
        } else if (!lost.has(symbol)) {
          lost.add(symbol)
          log.warn(
            { symbol, why: agreed.why },
            'The price feeds do not agree: nothing is sold for this token',
          )
        }
      }
      if (prices.size === 0) throw new Unavailable('The price feeds agree on no price at all')
      return prices
    },
  }
}

const isOwn = ({ feed }: FeedPrice) => feed === OWN_FEED

function ownFeeds({ own }: PriceFeedSettings): Feed[] {
  return own === null ? [] : [ownFeed(own)]
}

/** For coins whose price the sale file sets: always as fresh as the reading. */
function fixedPrices(paymentTokens: readonly PaymentToken[], at: Date): Map<string, SourcedPrice> {
  return new Map(
    paymentTokens.flatMap((paymentToken) => {
      const fixed = fixedPriceOf(paymentToken, at)
      return fixed === null ? [] : [[paymentToken.symbol, fixed]]
    }),
  )
}

type Quote = FeedPrice & { symbol: string; currency: Feed['currency'] }

async function askAll(
  readers: readonly FeedReader[],
  symbols: readonly string[],
): Promise<Quote[]> {
  const answers = await Promise.all(
    readers.map(async ({ feed, ask }) =>
      (await ask(symbols)).map((quote) => ({
        ...quote,
        feed: feed.name,
        currency: feed.currency,
      })),
    ),
  )
  return answers.flat()
}

/** The quotes of a symbol in dollars, without those that cannot be converted. */
function pricesOf(symbol: string, quotes: readonly Quote[], quotedIn: SourcedPrice | null) {
  return quotes
    .filter((each) => each.symbol === symbol)
    .flatMap(({ feed, price: given, at, currency }): FeedPrice[] => {
      if (currency === 'USD') return [{ feed, price: given, at }]
      return quotedIn === null ? [] : [{ feed, price: inDollars(given, quotedIn.price), at }]
    })
}

function inDollars(given: Price, dollarsForOne: Price): Price {
  return price((given * dollarsForOne) / 10n ** BigInt(PRICE_DECIMALS))
}
