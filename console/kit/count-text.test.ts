import { expect, test } from 'vitest'
import { countText } from './count-text.ts'

test('a count that is as high as the server counts may be higher, and so may a sum with it', () => {
  expect(countText(999)).toBe('999')
  expect(countText(1000)).toBe('1,000+')
  expect(countText(1000, 3)).toBe('1,003+')
  expect(countText(600, 500)).toBe('1,100')
})
