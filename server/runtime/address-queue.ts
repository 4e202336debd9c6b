import type { Services } from '#server/services.ts'
import { createBoundedQueues } from './bounded-queues.ts'

/**
 * Lets one purchase of a user and four of a connection at a time ask for an address and be booked,
 * and the others wait. Whoever comes next sees what those before have reserved, so that a burst
 * takes no more addresses than there are purchases, but for the three beside the last.
 */
export function createAddressQueue(): Services['queueForAddress'] {
  const refusal = { retryAfterSeconds: 1 }
  const ofUser = createBoundedQueues({ runningMax: 1, waitingMax: 20 }, refusal)
  const ofConnection = createBoundedQueues({ runningMax: 4, waitingMax: 100 }, refusal)
  return ({ userId, connectionHash }, work) =>
    ofUser(userId, () => ofConnection(Buffer.from(connectionHash).toString('hex'), work))
}
