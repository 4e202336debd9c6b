import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'

export type QueueBounds = { runningMax: number; waitingMax: number }

type Queued = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs at most `runningMax` jobs of a key at a time. Refuses with `Busy` if `waitingMax` wait. */
export function createBoundedQueues(
  { runningMax, waitingMax }: QueueBounds,
  refusal: { message?: string; retryAfterSeconds: number },
): Queued {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    if (queue.running < runningMax) {
      queue.running += 1
      queues.set(key, queue)
    } else {
      if (queue.waiting.length >= waitingMax) throw new Refusal('Busy', refusal)
      // A job that ends passes its place on, so that no later one takes it.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next !== undefined) next()
      else queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}

/**
 * Lets one purchase per user and four per connection at a time request an address and be booked.
 * The next one sees what those before have reserved, so that a burst uses up hardly more addresses
 * than there are purchases: three at most.
 */
export function createAddressQueue(): Services['queueForAddress'] {
  const refusal = { retryAfterSeconds: 1 }
  const ofUser = createBoundedQueues({ runningMax: 1, waitingMax: 20 }, refusal)
  const ofConnection = createBoundedQueues({ runningMax: 4, waitingMax: 100 }, refusal)
  return ({ userId, connectionHash }, work) =>
    ofUser(userId, () => ofConnection(Buffer.from(connectionHash).toString('hex'), work))
}
