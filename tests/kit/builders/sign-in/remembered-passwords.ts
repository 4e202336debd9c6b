import type { PasswordHasher } from '#server/ports/security.ts'

const hashes = new Map<string, string>()
const answers = new Map<string, boolean>()

/**
 * Hashes a password, and compares it with a hash, once in all tests of a process: thousands of
 * their users have the same one, and hashing it is made to take long.
 */
export function rememberPasswords(real: PasswordHasher): PasswordHasher {
  return {
    async hash(password, from) {
      const made = hashes.get(password) ?? (await real.hash(password, from))
      hashes.set(password, made)
      return made
    },
    async verify(hash, password, from) {
      const asked = JSON.stringify([hash, password])
      const isRight = answers.get(asked) ?? (await real.verify(hash, password, from))
      answers.set(asked, isRight)
      return isRight
    },
  }
}
