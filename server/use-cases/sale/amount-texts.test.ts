import { expect, test } from 'vitest'

import { usd } from '#domain/money.ts'
import { centsText, usdText } from './amount-texts.ts'

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
