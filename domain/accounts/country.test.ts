import { expect, test } from 'vitest'

import { isCountryCode } from './country.ts'

test.each(['GB', 'US', 'IN', 'AE', 'AU', 'XK'])('%s is a country', (code) => {
  expect(isCountryCode(code)).toBe(true)
})

test.each(['ZZ', 'gb', 'GBR', '', 'G', '44'])('%j is not one', (code) => {
  expect(isCountryCode(code)).toBe(false)
})
