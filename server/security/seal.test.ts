import { describe, expect, test } from 'vitest'

import { seal, unseal } from './seal.ts'
import { secret } from '#server/payments/variables.ts'

const key = secret('a secret key for tests, and for nothing else')
const open = Buffer.from('what the database must not read')

describe('sealed bytes', () => {
  test('open with the same secret, use and owner', () => {
    const sealed = seal(key, 'two-factor', 'ada', open)
    expect(Buffer.from(unseal(key, 'two-factor', 'ada', sealed))).toEqual(open)
    expect(sealed.toString('latin1')).not.toContain('database')
  })

  test('are different bytes each time', () => {
    expect(seal(key, 'two-factor', 'ada', open)).not.toEqual(seal(key, 'two-factor', 'ada', open))
  })

  test('open with nothing else, and not after a bit has changed', () => {
    const sealed = seal(key, 'two-factor', 'ada', open)
    const otherKey = secret('another secret key, of another server!!!')
    expect(() => unseal(otherKey, 'two-factor', 'ada', sealed)).toThrow(Error)
    expect(() => unseal(key, 'another use', 'ada', sealed)).toThrow(Error)
    expect(() => unseal(key, 'two-factor', 'bob', sealed)).toThrow(Error)
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(key, 'two-factor', 'ada', changed)).toThrow(Error)
    }
    expect(() => unseal(key, 'two-factor', 'ada', sealed.subarray(0, 20))).toThrow(Error)
  })
})
