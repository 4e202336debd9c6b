import { Refusal } from '#domain/refusal.ts'

export type QueueBounds = { runningMax: number; waitingMax: number }

type Queued = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs `runningMax` works of a key at a time. Refuses with `Busy` where `waitingMax` wait. */
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
      // Whoever ends hands its place over, so that nobody who comes later takes it.
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
