import { invariant } from '#domain/invariant.ts'
import { Refusal } from '#domain/refusal.ts'
import { setImmediate as nextTick } from 'node:timers/promises'

export type BatcherOptions<Request, Result> = {
  /** Processes a batch. The results are in the order of the requests. */
  run(batch: readonly Request[]): Promise<readonly Result[]>
  batchMax: number
  /** How many may wait. Further requests are refused with `Busy`. */
  waitingMax: number
  /** Requests with the same key never share a batch. */
  keyOf?: (request: Request) => string
  /** Whether a batch may have failed because of one request: then each is run separately. */
  isFaultOfOne?: (cause: unknown) => boolean
}

type Waiting<Request, Result> = {
  request: Request
  key: string | null
  resolve: (result: Result) => void
  reject: (cause: unknown) => void
}

const RETRY_AFTER_SECONDS = 1

/**
 * Collects requests that arrive while a batch is running into the next one. A single request does
 * not wait; under load, many share the cost of one statement. If a batch fails, each of its
 * requests fails with the same cause, unless one request may be to blame.
 */
export function createBatcher<Request, Result>(
  options: BatcherOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  let waiting: Waiting<Request, Result>[] = []
  let isRunning = false

  const takeBatch = (): Waiting<Request, Result>[] => {
    const batch: Waiting<Request, Result>[] = []
    const left: Waiting<Request, Result>[] = []
    const keys = new Set<string>()
    for (const entry of waiting) {
      const isTaken = entry.key !== null && keys.has(entry.key)
      if (isTaken || batch.length === options.batchMax) {
        left.push(entry)
        continue
      }
      if (entry.key !== null) keys.add(entry.key)
      batch.push(entry)
    }
    waiting = left
    return batch
  }

  const runAll = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      // Includes requests that arrive in the same pass of the event loop.
      await nextTick()
      await runBatch(takeBatch())
    }
    isRunning = false
  }

  const runBatch = async (batch: readonly Waiting<Request, Result>[]): Promise<void> => {
    try {
      const results = await options.run(batch.map(({ request }) => request))
      invariant(results.length === batch.length, 'A batch has one result for each request.')
      for (const [position, { resolve }] of batch.entries()) resolve(results[position] as Result)
    } catch (cause) {
      if (batch.length > 1 && options.isFaultOfOne?.(cause) === true) {
        for (const entry of batch) await runBatch([entry])
      } else {
        for (const { reject } of batch) reject(cause)
      }
    }
  }

  return (request) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= options.waitingMax) {
        reject(new Refusal('Busy', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
        return
      }
      waiting.push({ request, key: options.keyOf?.(request) ?? null, resolve, reject })
      if (!isRunning) void runAll()
    })
}
