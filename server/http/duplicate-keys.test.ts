import { describe, expect, test } from 'vitest'

import { listDuplicateKeys } from './duplicate-keys.ts'

describe('keys that stand twice', () => {
  test.each<[string, string[]]>([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":1,"a":1}', ['a']],
    [String.raw`{"email":"x","\u0065mail":"y"}`, ['email']],
    ['{"a":{"b":1,"b":2}}', ['a.b']],
    ['{"list":[{"a":1},{"a":1,"a":2}]}', ['list.1.a']],
    ['{"a":1,"b":{"a":1},"b":{}}', ['b']],
    ['{"":1,"":2}', ['']],
    [String.raw`{"a\"":1,"a\"":2}`, ['a"']],
    ['{"a":1,"b":[1,2,{"a":1}],"c":{"a":1,"b":2}}', []],
    [String.raw`{"a":"\"a\":1,","b":"{\"a\":1,\"a\":2}"}`, []],
    ['{"a":"a","b":"a"}', []],
    ['[1,1,"a","a"]', []],
    ['"a"', []],
    ['7', []],
  ])('of %s are %j', (text, paths) => {
    expect(listDuplicateKeys(text)).toEqual(paths)
  })

  test('are found in a long text in no time', () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => `"k${index}":"${'\\\\'.repeat(2)}"`)
    const startedAt = performance.now()
    expect(listDuplicateKeys(`{${entries.join(',')},"k7":1}`)).toEqual(['k7'])
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})
