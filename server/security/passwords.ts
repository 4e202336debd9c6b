import { hash, verify } from '@node-rs/argon2'

import { createBoundedQueues, type QueueBounds } from '#server/runtime/bounded-queues.ts'
import type { PasswordHasher } from '#server/ports/security.ts'

/** Parameters by OWASP for argon2id, the default algorithm of the library. */
const parameters = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/** Compared with if there is no account, so that the reply takes as long. */
const nobodysHash = hash('nobody has this password', parameters)

const RETRY_AFTER_SECONDS = 2
/** All passwords share one queue. */
const QUEUE = 'passwords'

/**
 * Hashes at most `runningMax` passwords at a time and lets `waitingMax` more wait, so that a flood
 * of logins leaves CPU time for everything else. Beyond that it refuses with `Busy`.
 */
export function createPasswordHasher(bounds: QueueBounds): PasswordHasher {
  const enqueue = createBoundedQueues(bounds, {
    message: 'Too many people are logging in at this moment. Try again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

  // Keyboards and systems differ in how they compose an accented letter.
  return {
    hash: (password) => enqueue(QUEUE, () => hash(password.normalize(), parameters)),
    verify: (passwordHash, password) =>
      enqueue(QUEUE, async () => {
        const isRight = await verify(passwordHash ?? (await nobodysHash), password.normalize())
        return isRight && passwordHash !== null
      }),
  }
}
