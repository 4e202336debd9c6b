import { expect, it } from 'vitest'
import { createAttemptKeys } from './use-pay.ts'

it('keeps the key while the same form is sent again, and only then', () => {
  const keys = createAttemptKeys()
  const key = keys.keyFor('1000 eth')
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.keyFor('1000 eth')).toBe(key)
  const other = keys.keyFor('1000 btc')
  expect(other).not.toBe(key)
  keys.finish()
  expect(keys.keyFor('1000 btc')).not.toBe(other)
})
