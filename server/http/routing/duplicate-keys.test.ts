import { describe, expect, test } from 'vitest'

import { findDuplicateKey } from './duplicate-keys.ts'

describe('duplicate keys', () => {
  test.each<[string, string | null]>([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"a":1,"a":1}', 'a'],
    [String.raw`{"email":"x","\u0065mail":"y"}`, 'email'],
    ['{"a":{"b":1,"b":2}}', 'a.b'],
    ['{"list":[{"a":1},{"a":1,"a":2}]}', 'list.1.a'],
    ['{"a":1,"b":{"a":1},"b":{}}', 'b'],
    ['{"":1,"":2}', ''],
    [String.raw`{"a\"":1,"a\"":2}`, 'a"'],
    ['{"a":1,"b":[1,2,{"a":1}],"c":{"a":1,"b":2}}', null],
    [String.raw`{"a":"\"a\":1,","b":"{\"a\":1,\"a\":2}"}`, null],
    ['{"a":"a","b":"a"}', null],
    ['[1,1,"a","a"]', null],
    ['"a"', null],
    ['7', null],
  ])('of %s: the first is %j', (text, path) => {
    expect(findDuplicateKey(text)).toBe(path)
  })

  test('are found in a long text at once', () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => `"k${index}":"${'\\\\'.repeat(2)}"`)
    const startedAt = performance.now()
    expect(findDuplicateKey(`{${entries.join(',')},"k7":1}`)).toBe('k7')
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})
