import fc from 'fast-check'
import { expect, test } from 'vitest'

import { idsOfNumber, purchaseIdAt, purchaseNumber, purchaseNumbers } from './purchase-number.ts'

const RANDOM = '3f9a12bc-7d10-4c55-9a01-0123456789ab'
const at = (ms: number) => purchaseIdAt(RANDOM, new Date(ms))

test('purchases of the same hour have ids that begin alike, and are random behind that', () => {
  expect(at(0)).toBe('009a12bc-7d10-8c55-9a01-0123456789ab')
  expect(at(4_194_303)).toBe(at(0))
  expect(at(4_194_304)).toBe('019a12bc-7d10-8c55-9a01-0123456789ab')
  expect(at(255 * 4_194_304)).toBe('ff9a12bc-7d10-8c55-9a01-0123456789ab')
})

test('after twelve days the first of them comes again', () => {
  expect(at(256 * 4_194_304)).toBe(at(0))
})

test('each is a UUID of version 8', () => {
  fc.assert(
    fc.property(
      fc.uuid({ version: 4 }),
      fc.date({ min: new Date(0), noInvalidDate: true }),
      (random, now) => {
        expect(purchaseIdAt(random, now)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
      },
    ),
  )
})

test('the numbers of some purchases say how many more there are', () => {
  const ids = ['3f9a12bc-7d10-4c55-9a01-0123456789ab', '41d077e2-7d10-4c55-9a01-0123456789ab']
  expect(purchaseNumbers(ids, 2)).toBe('3F9A-12BC, 41D0-77E2')
  expect(purchaseNumbers(ids, 5)).toBe('3F9A-12BC, 41D0-77E2 and 3 more')
})

test('a purchase’s number is eight digits in two groups', () => {
  expect(purchaseNumber('3f9a12bc-7d10-4c55-9a01-0123456789ab')).toBe('3F9A-12BC')
})

test.each(['3F9A-12BC', '3f9a12bc', '3F9A 12BC', '3F9A–12BC', '#3F9A-12BC', '3F9A-12BC.'])(
  'a purchase is found by its number as people write it: %s',
  (text) => {
    expect(idsOfNumber(text)).toEqual({
      from: '3f9a12bc-0000-0000-0000-000000000000',
      to: '3f9a12bc-ffff-ffff-ffff-ffffffffffff',
    })
  },
)

test.each(['3F9A-12B', '0x3f9a12bc', '3F9A--12BC', 'ABCDEFGH', ''])(
  'what is no number of a purchase is looked up by other means: %s',
  (text) => {
    expect(idsOfNumber(text)).toBeNull()
  },
)
