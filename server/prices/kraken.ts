import { exactText, isExactRecord } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Feed } from './feed.ts'

/**
 * Kraken's public ticker. It names pairs otherwise in its answers than in questions, understands
 * the names of its answers in questions too, and tells no time of its prices.
 */
export const kraken: Feed = {
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
