import { describe, expect, test } from 'vitest'

import { Refusal } from '#domain/refusal.ts'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

describe('the body of a request', () => {
  test.each([
    ['{"a":1.5}', { a: 1.5 }],
    ['{"a":1.50}', { a: 1.5 }],
    [`{"a":1.${'0'.repeat(62)}}`, { a: 1 }],
    ['{"a":0.1}', { a: 0.1 }],
    ['{"a":-7}', { a: -7 }],
    ['{"a":123456789012345}', { a: 123_456_789_012_345 }],
    ['{"a":0.000000000000123}', { a: 1.23e-13 }],
    ['{"a":1e-7}', { a: 1e-7 }],
    ['{"a":"1e400"}', { a: '1e400' }],
  ])('%s is read as it stands', (text, value) => {
    expect(parse(text)).toEqual(value)
  })

  test.each([
    '1e3',
    '1E400',
    '-1e999',
    '0.1234567890123456789',
    '9007199254740993',
    '1.0e0',
    '100000000000000000000000000',
    `1.${'0'.repeat(63)}`,
    `0.${'0'.repeat(100_000)}1`,
  ])('the number %s, which would be changed, is none', (number) => {
    expect(parse(`{"a":${number}}`)).toEqual({ a: Number.NaN })
  })

  test('an empty body counts as none', () => {
    expect(parse('')).toBeUndefined()
  })

  test.each([
    ['half an object', '{"a":'],
    ['two values', '{} {}'],
    ['a hexadecimal number', '{"a":0x10}'],
    ['a word', 'NaN'],
    ['a key that changes the prototype', '{"__proto__":{"admin":true}}'],
    ['such a key, escaped', String.raw`{"\u005f_proto__":1}`],
    ['such a key, further in', '{"a":[{"__proto__":1}]}'],
    ['a thousand values', `{"a":[${'1,'.repeat(1_000)}1]}`],
    ['brackets without end', '['.repeat(60_000)],
    ['five hundred keys', `{${Array.from({ length: 501 }, (_, nth) => `"${nth}":0`).join()}}`],
    ['a deep list after flat ones', `[${'[],'.repeat(30)}${'['.repeat(20)}${']'.repeat(20)}]`],
    [
      'one after a text that ends with a backslash',
      String.raw`["\\",${'['.repeat(20)}${']'.repeat(20)}]`,
    ],
    ['objects without end', '{"a":'.repeat(21) + '1' + '}'.repeat(21)],
  ])('%s is refused', (_, text) => {
    expect(() => parse(text)).toThrow(Refusal)
  })

  test('a key that stands twice is refused at its path', () => {
    let refused: unknown
    try {
      parse('{"email":"a@example.com","password":"x","email":"b@example.com"}')
    } catch (fault) {
      refused = fault
    }
    expect(refused).toMatchObject({
      reason: 'InvalidInput',
      details: { errors: [{ path: 'email', message: 'Must be given once' }] },
    })
  })

  test('nesting of twenty is read, and brackets in strings do not count', () => {
    expect(() => parse('['.repeat(20) + ']'.repeat(20))).not.toThrow()
    expect(parse(`{"a":"[\\"${'['.repeat(1000)}"}`)).toEqual({ a: `["${'['.repeat(1000)}` })
    expect(() => parse(`[${'[],{},'.repeat(20)}0]`)).not.toThrow()
  })

  test('bytes that are not UTF-8 are refused', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(Refusal)
  })
})
