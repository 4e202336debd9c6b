import { hash, verify } from '@node-rs/argon2'

import { Refusal } from '#domain/refusal.ts'
import type { PasswordHasher } from '#server/services.ts'

/** OWASP's parameters for argon2id, which is the library's own choice of algorithm. */
const parameters = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** Compared where there is no account, so that the answer takes as long. */
const nobodysHash = hash('nobody has this password', parameters)

const RETRY_AFTER_SECONDS = 2

/**
 * Hashes at most `runningMax` passwords at a time and lets `waitingMax` more wait, so that a flood
 * of logins leaves the processor to everybody else. Beyond that it refuses with `Busy`.
 */
export function createPasswordHasher(bounds: {
  runningMax: number
  waitingMax: number
}): PasswordHasher {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= bounds.runningMax) {
      if (waiting.length >= bounds.waitingMax) {
        throw new Refusal('Busy', {
          message: 'Too many people are logging in at this moment. Try again',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      // Whoever ends hands its place over, so that nobody who comes later takes it.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, parameters)),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const isRight = await verify(passwordHash ?? (await nobodysHash), password)
        return isRight && passwordHash !== null
      }),
  }
}
