import { expect, test } from 'vitest'
import { arrayText } from './array-text.ts'

test.each([
  { values: [], text: '{}' },
  { values: [1, 2n, null], text: '{1,2,NULL}' },
  { values: ['eth', 'purchase_created:1', '', 'Null'], text: '{eth,purchase_created:1,"","Null"}' },
  { values: ['a,b', '{}', 'a "b"', ' a'], text: String.raw`{"a,b","{}","a \"b\""," a"}` },
  { values: [String.raw`a\b`], text: String.raw`{"a\\b"}` },
  { values: [new Date(0)], text: '{1970-01-01T00:00:00.000Z}' },
  { values: [new Uint8Array([0, 255])], text: String.raw`{"\\x00ff"}` },
])('an array is written as $text', ({ values, text }) => {
  expect(arrayText(values)).toBe(text)
})
