import { describe, expect, test } from 'vitest'

import { Refusal } from '#domain/refusal.ts'
import { createPasswordHasher } from './passwords.ts'

describe('the password hasher', () => {
  const passwords = createPasswordHasher({ runningMax: 2, waitingMax: 4 })

  test('hashes with the parameters that OWASP names', async () => {
    expect(await passwords.hash('passw0rd')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('distinguishes the right password from a wrong one', async () => {
    const hash = await passwords.hash('passw0rd')
    expect(await passwords.verify(hash, 'passw0rd')).toBe(true)
    expect(await passwords.verify(hash, 'passw0rD')).toBe(false)
  })

  test('an accented letter is the same, however a keyboard composes it', async () => {
    const [composed, decomposed] = ['pässword1', 'pa\u0308ssword1']
    expect(await passwords.verify(await passwords.hash(composed), decomposed)).toBe(true)
    expect(await passwords.verify(await passwords.hash(decomposed), composed)).toBe(true)
    expect(await passwords.verify(await passwords.hash(composed), 'password1')).toBe(false)
  })

  test('nobody without an account gets in, by any password', async () => {
    expect(await passwords.verify(null, 'nobody has this password')).toBe(false)
  })

  test('refuses callers who would wait too long, and serves again afterwards', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => passwords.hash('passw0rd')),
    )
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(4)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Refusal)
      expect(reason).toMatchObject({ reason: 'Busy', details: { retryAfterSeconds: 2 } })
    }
    expect(await passwords.hash('passw0rd')).toContain('argon2id')
  })
})
