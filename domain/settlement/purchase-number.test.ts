import { expect, test } from 'vitest'

import { purchaseNumber } from './purchase-number.ts'

test('a purchase’s number is eight digits in two groups', () => {
  expect(purchaseNumber('3f9a12bc-7d10-4c55-9a01-0123456789ab')).toBe('3F9A-12BC')
})
