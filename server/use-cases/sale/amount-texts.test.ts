import { expect, test } from 'vitest'

import { tokenAmount, usd } from '#domain/money.ts'
import { centsText, tokensText, usdText } from './amount-texts.ts'

// As the pages write the same amounts: `formatUsd` and `formatUsdExact`.
test.each([
  [450_000_000n, '$450', '$450'],
  [450_000_470n, '$450.00', '$450.00047'],
  [1_234_500_000n, '$1,234.50', '$1,234.50'],
  [1_234_567_890n, '$1,234.57', '$1,234.56789'],
  [1_999_999_999n, '$2,000.00', '$1,999.999999'],
  [9_900n, '$0.0099', '$0.0099'],
  [0n, '$0', '$0'],
])('%d millionths of a dollar read %s to the cent, and %s exactly', (amount, cents, exact) => {
  expect([centsText(usd(amount)), usdText(usd(amount))]).toEqual([cents, exact])
})

// As the pages write the same amounts: `formatTokens`.
test.each([
  [10_000_000_000_000_000_000n, '10,000,000,000,000 HUH'],
  [707_755_703_963n, '707,755.70 HUH'],
  [12_401_418_419_230n, '12,401,418.41 HUH'],
  [999_999_999n, '999.99999 HUH'],
  [12_345_670n, '12.34567 HUH'],
  [500_000n, '0.50 HUH'],
  [1n, '0.000001 HUH'],
  [0n, '0 HUH'],
])('%d millionths of a token read %s', (amount, text) => {
  expect(tokensText(tokenAmount(amount), { decimals: 6, symbol: 'HUH' })).toBe(text)
})
