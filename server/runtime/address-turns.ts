import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'

type Bounds = { runningMax: number; waitingMax: number }

const RETRY_AFTER_SECONDS = 1

/**
 * Lets one purchase of a user and four of a connection at a time ask for an address and be booked,
 * and the others wait. Whoever comes next sees what those before have reserved, so that a burst
 * takes no more addresses than there are purchases, but for the three beside the last.
 */
export function createAddressTurns({
  user = { runningMax: 1, waitingMax: 20 },
  connection = { runningMax: 4, waitingMax: 100 },
}: {
  user?: Bounds
  connection?: Bounds
} = {}): Services['inAddressTurn'] {
  const inTurnOfUser = createTurns(user)
  const inTurnOfConnection = createTurns(connection)
  return ({ userId, connectionHash }, work) =>
    inTurnOfUser(userId, () =>
      inTurnOfConnection(Buffer.from(connectionHash).toString('hex'), work),
    )
}

type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs `runningMax` works of a key at a time. Refuses with `Busy` where `waitingMax` wait. */
function createTurns({ runningMax, waitingMax }: Bounds): InTurn {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()

  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    if (line.running < runningMax) {
      line.running += 1
      lines.set(key, line)
    } else {
      if (line.waiting.length >= waitingMax) {
        throw new Refusal('Busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      }
      // Whoever ends hands its place over, so that nobody who comes later takes it.
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next !== undefined) next()
      else line.running -= 1
      if (line.running === 0) lines.delete(key)
    }
  }
}
