import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TokenIcon } from './token-icon.tsx'

test.each(['BNB', 'BTC', 'DOGE', 'ETH', 'LTC', 'MATIC', 'USDT'])(
  '%s has an icon of its own',
  (symbol) => {
    const file = new RegExp(`src="[^"]*/${symbol.toLowerCase()}\\.svg`)
    expect(renderToString(<TokenIcon symbol={symbol} />)).toMatch(file)
  },
)

test('a token without an icon is shown by its first letters', () => {
  expect(renderToString(<TokenIcon symbol="PEAR" />)).toMatch(/<text[^>]*>PE<\/text>/)
})
