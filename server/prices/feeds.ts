import { type ExactJson, exactText, isExactRecord } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'

/** A public ticker: its address, and how its answer is read. */
export type Feed = {
  name: string
  origin: string
  /**
   * Symbol to the market’s name at the feed. Only these are requested; `any` stands for all
   * symbols.
   */
  markets: Readonly<Record<string, string>> | 'any'
  /** Sent with each request, besides what all feeds are sent. */
  headers?: Readonly<Record<string, string>>
  currency: 'USD' | 'USDT'
  /** Path and query that ask for all of `markets` at once. */
  path(markets: readonly string[]): string
  /** Throws `Unavailable` for an answer that is not of the documented form. */
  read(answer: ExactJson): FeedReading[]
}

/** A price as its feed wrote it. */
type FeedReading = {
  market: string
  written: string | null
  /** Null if the feed does not say: then it is as old as the answer. */
  at: Date | null
}

/** A symbol's name at a feed; undefined if the feed does not know it. */
export function marketOf({ markets }: Feed, symbol: string): string | undefined {
  if (markets === 'any') return symbol
  return Object.hasOwn(markets, symbol) ? markets[symbol] : undefined
}

/** The feeds that an operator may choose. */
export const feedNames = ['coinbase', 'kraken', 'bitstamp', 'binance'] as const
export type FeedName = (typeof feedNames)[number]

/** Coinbase's list of public products; it needs no key, and its prices have no time. */
const coinbase: Feed = {
  name: 'coinbase',
  origin: 'https://api.coinbase.com',
  currency: 'USD',
  markets: {
    BTC: 'BTC-USD',
    ETH: 'ETH-USD',
    BNB: 'BNB-USD',
    USDT: 'USDT-USD',
    LTC: 'LTC-USD',
    DOGE: 'DOGE-USD',
    POL: 'POL-USD',
    MATIC: 'POL-USD',
    DAI: 'DAI-USD',
    LINK: 'LINK-USD',
    UNI: 'UNI-USD',
    AAVE: 'AAVE-USD',
    SHIB: 'SHIB-USD',
  },
  path: (markets) =>
    `/api/v3/brokerage/market/products?${markets.map((market) => `product_ids=${market}`).join('&')}`,
  read(answer) {
    const products = isExactRecord(answer) ? answer['products'] : null
    if (!Array.isArray(products)) throw new Unavailable('coinbase answers without products')
    return products.filter(isExactRecord).map((product) => ({
      market: exactText(product['product_id']) ?? '',
      written: exactText(product['price']),
      at: null,
    }))
  },
}

/**
 * Kraken's public ticker. It names pairs differently in answers than in its documented requests,
 * and accepts the names of its answers in requests too. Its prices have no time.
 */
const kraken: Feed = {
  name: 'kraken',
  origin: 'https://api.kraken.com',
  currency: 'USD',
  markets: {
    BTC: 'XXBTZUSD',
    ETH: 'XETHZUSD',
    BNB: 'BNBUSD',
    USDT: 'USDTZUSD',
    LTC: 'XLTCZUSD',
    DOGE: 'XDGUSD',
    POL: 'POLUSD',
    MATIC: 'POLUSD',
    USDC: 'USDCUSD',
    DAI: 'DAIUSD',
    LINK: 'LINKUSD',
    UNI: 'UNIUSD',
    AAVE: 'AAVEUSD',
    SHIB: 'SHIBUSD',
  },
  path: (markets) => `/0/public/Ticker?pair=${markets.join(',')}`,
  read(answer) {
    const { error, result } = isExactRecord(answer) ? answer : {}
    if (!isExactRecord(result)) {
      const why = Array.isArray(error) ? error.map((each) => exactText(each) ?? '').join(', ') : ''
      throw new Unavailable(`kraken answers without prices: ${why.slice(0, 100)}`)
    }
    return Object.entries(result).map(([market, ticker]) => {
      // `c` is the last trade: its price and its size.
      const last = isExactRecord(ticker) ? ticker['c'] : null
      return { market, written: Array.isArray(last) ? exactText(last[0]) : null, at: null }
    })
  },
}

/** Bitstamp's tickers of all its pairs: its only request for several. */
const bitstamp: Feed = {
  name: 'bitstamp',
  origin: 'https://www.bitstamp.net',
  currency: 'USD',
  markets: {
    BTC: 'BTC/USD',
    ETH: 'ETH/USD',
    USDT: 'USDT/USD',
    LTC: 'LTC/USD',
    DOGE: 'DOGE/USD',
    POL: 'POL/USD',
    MATIC: 'POL/USD',
    USDC: 'USDC/USD',
    DAI: 'DAI/USD',
    LINK: 'LINK/USD',
    UNI: 'UNI/USD',
    AAVE: 'AAVE/USD',
    SHIB: 'SHIB/USD',
  },
  path: () => '/api/v2/ticker/',
  read(answer) {
    if (!Array.isArray(answer)) throw new Unavailable('bitstamp answers without a list')
    return answer.filter(isExactRecord).map((ticker) => ({
      market: exactText(ticker['pair']) ?? '',
      written: exactText(ticker['last']),
      at: new Date(Number(exactText(ticker['timestamp']) ?? Number.NaN) * 1000),
    }))
  },
}

/** Binance's public market data. It quotes in USDT, which is a priced coin like any other. */
const binance: Feed = {
  name: 'binance',
  origin: 'https://data-api.binance.vision',
  currency: 'USDT',
  markets: {
    BTC: 'BTCUSDT',
    ETH: 'ETHUSDT',
    BNB: 'BNBUSDT',
    LTC: 'LTCUSDT',
    DOGE: 'DOGEUSDT',
    POL: 'POLUSDT',
    MATIC: 'POLUSDT',
    USDC: 'USDCUSDT',
    LINK: 'LINKUSDT',
    UNI: 'UNIUSDT',
    AAVE: 'AAVEUSDT',
    SHIB: 'SHIBUSDT',
  },
  path: (markets) =>
    `/api/v3/ticker/24hr?type=MINI&symbols=${encodeURIComponent(JSON.stringify(markets))}`,
  read(answer) {
    if (!Array.isArray(answer)) throw new Unavailable('binance answers without a list')
    return answer.filter(isExactRecord).map((ticker) => ({
      market: exactText(ticker['symbol']) ?? '',
      written: exactText(ticker['lastPrice']),
      at: new Date(Number(exactText(ticker['closeTime']) ?? Number.NaN)),
    }))
  },
}

export const feeds: Readonly<Record<FeedName, Feed>> = { coinbase, kraken, bitstamp, binance }
