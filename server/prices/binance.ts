import { exactText, isExactRecord } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Feed } from './feed.ts'

/** Binance's public market data. It quotes in USDT, which is a priced coin like any other. */
export const binance: Feed = {
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
