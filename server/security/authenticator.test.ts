import { describe, expect, test } from 'vitest'

import { createAuthenticator } from './authenticator.ts'
import { seal } from './seal.ts'
import { secret } from '#server/payments/variables.ts'

const key = secret('a secret key for tests, and for nothing else')
const authenticator = createAuthenticator(key)

describe('codes of an authenticator app', () => {
  // The test vectors of RFC 6238 for SHA-1, cut to six digits as the apps show them.
  const sealed = seal(key, 'two-factor secret', 'ada', Buffer.from('12345678901234567890'))
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i, %s is the one of the standard', (second, code) => {
    const now = new Date(second * 1_000)
    const step = BigInt(Math.floor(second / 30))
    expect(authenticator.stepOf({ userId: 'ada', sealed, code, now })).toBe(step)
    const later = new Date((second + 30) * 1_000)
    expect(authenticator.stepOf({ userId: 'ada', sealed, code, now: later })).toBe(step)
    const muchLater = new Date((second + 90) * 1_000)
    expect(authenticator.stepOf({ userId: 'ada', sealed, code, now: muchLater })).toBeNull()
  })

  test('a project’s name with a colon does not become another account', () => {
    const made = authenticator.makeSecret({ userId: 'a', email: 'a@x.example', issuer: 'A: B' })
    expect(decodeURIComponent(new URL(made.uri).pathname)).toBe('/A  B:a@x.example')
    expect(new URL(made.uri).searchParams.get('issuer')).toBe('A  B')
  })
})
