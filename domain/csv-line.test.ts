import { expect, test } from 'vitest'

import { csvLine } from './csv-line.ts'

test.each([
  ['Ada', '"Ada"'],
  ['12.5', '"12.5"'],
  ['', '""'],
  ['Lovelace, Ada', '"Lovelace, Ada"'],
  ['Lovelace; Ada', '"Lovelace; Ada"'],
  ['Ada "the first"', '"Ada ""the first"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ["O'Neill", `"O'Neill"`],
  ['=1+1', `"'=1+1"`],
  ['+44', `"'+44"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['＝1+1', `"'＝1+1"`],
  ['＋44', `"'＋44"`],
  ['－1', `"'－1"`],
  ['＠SUM(A1)', `"'＠SUM(A1)"`],
  ['\t1', `"'\t1"`],
  ['\r1', `"'\r1"`],
  ['\n1', `"'\n1"`],
  [' =1', `"' =1"`],
  ['\u3000＝1', `"'\u3000＝1"`],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['a=1', '"a=1"'],
])('%j is written as %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})

test('cells stand between commas', () => {
  expect(csvLine(['a', 'b', ''])).toBe('"a","b",""\r\n')
})
