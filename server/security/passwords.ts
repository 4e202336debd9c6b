import { hash, verify } from '@node-rs/argon2'

import { networkOf } from '#domain/accounts/network.ts'
import { createBoundedQueues, type QueueBounds } from '#server/runtime/bounded-queues.ts'
import type { Client, PasswordHasher } from '#server/ports/security.ts'

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
/** Enough to keep all places where passwords are hashed at work. */
const OF_ONE_NETWORK_MAX = 4

/**
 * Hashes at most `runningMax` passwords at a time and lets `waitingMax` more wait, so that a flood
 * of logins leaves CPU time for everything else. Beyond that it refuses with `Busy`. Of all these
 * places a network takes {@link OF_ONE_NETWORK_MAX}, and its others wait for those: whoever floods
 * the server from one network keeps nobody else from logging in.
 */
export function createPasswordHasher(bounds: QueueBounds): PasswordHasher {
  const refusal = {
    message: 'Too many people are logging in at this moment. Try again',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  }
  const ofAll = createBoundedQueues(bounds, refusal)
  const ofNetwork = createBoundedQueues({ ...bounds, runningMax: OF_ONE_NETWORK_MAX }, refusal)
  const enqueue = <Result>({ address }: Pick<Client, 'address'>, work: () => Promise<Result>) =>
    ofNetwork(networkOf(address), () => ofAll(QUEUE, work))

  // Keyboards and systems differ in how they compose an accented letter.
  return {
    hash: (password, from) => enqueue(from, () => hash(password.normalize(), parameters)),
    verify: (passwordHash, password, from) =>
      enqueue(from, async () => {
        const isRight = await verify(passwordHash ?? (await nobodysHash), password.normalize())
        return isRight && passwordHash !== null
      }),
  }
}
