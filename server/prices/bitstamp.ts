import { exactText, isExactRecord } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Feed } from './feed.ts'

/** Bitstamp's tickers of all its pairs, which is the one call that has several. */
export const bitstamp: Feed = {
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
