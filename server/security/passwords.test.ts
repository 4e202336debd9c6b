import { describe, expect, test } from 'vitest'

import { Refusal } from '#domain/refusal.ts'
import { createPasswordHasher } from './passwords.ts'

const here = { address: '198.51.100.7' }

describe('the password hasher', () => {
  const passwords = createPasswordHasher({ runningMax: 2, waitingMax: 4 })

  test('hashes with the parameters that OWASP names', async () => {
    expect(await passwords.hash('passw0rd', here)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('distinguishes the right password from a wrong one', async () => {
    const hash = await passwords.hash('passw0rd', here)
    expect(await passwords.verify(hash, 'passw0rd', here)).toBe(true)
    expect(await passwords.verify(hash, 'passw0rD', here)).toBe(false)
  })

  test('an accented letter is the same, however a keyboard composes it', async () => {
    const [composed, decomposed] = ['pässword1', 'pa\u0308ssword1']
    const ofComposed = await passwords.hash(composed, here)
    expect(await passwords.verify(ofComposed, decomposed, here)).toBe(true)
    expect(await passwords.verify(await passwords.hash(decomposed, here), composed, here)).toBe(
      true,
    )
    expect(await passwords.verify(ofComposed, 'password1', here)).toBe(false)
  })

  test('nobody without an account gets in, by any password', async () => {
    expect(await passwords.verify(null, 'nobody has this password', here)).toBe(false)
  })

  test('refuses callers who would wait too long, and serves again afterwards', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, (_, nth) =>
        passwords.hash('passw0rd', { address: `198.51.${nth}.7` }),
      ),
    )
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(4)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Refusal)
      expect(reason).toMatchObject({ reason: 'Busy', details: { retryAfterSeconds: 2 } })
    }
    expect(await passwords.hash('passw0rd', here)).toContain('argon2id')
  })

  test.each([
    ['one address', () => '203.0.113.7'],
    ['a network of IPv4', (nth: number) => `203.0.113.${nth}`],
    ['the endless addresses of one connection by IPv6', (nth: number) => `2001:db8:7:${nth}::1`],
  ])('a flood from %s keeps nobody else from logging in', async (_, addressOf) => {
    const few = createPasswordHasher({ runningMax: 2, waitingMax: 8 })
    const flood = Array.from({ length: 50 }, (_each, nth) =>
      few.hash('passw0rd', { address: addressOf(nth) }),
    )
    const answers = Promise.allSettled(flood)
    let isFloodOver = false
    void answers.then(() => (isFloodOver = true))
    expect(await few.hash('passw0rd', here)).toContain('argon2id')
    expect(isFloodOver).toBe(false)
    const refused = (await answers).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(50 - 4 - 8)
  })
})
