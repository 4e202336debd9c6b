import { exactText, isExactRecord } from '#domain/exact-json.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Feed } from './feed.ts'

/** Coinbase's list of public products; it needs no key and tells no time of its prices. */
export const coinbase: Feed = {
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
