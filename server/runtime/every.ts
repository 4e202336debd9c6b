import { setTimeout as delay } from 'node:timers/promises'

import type { Log } from '#server/ports/runtime.ts'

export type Worker = {
  /** Waits for the current step to end, and starts no more. */
  stop(): Promise<void>
}

const FAULT_PAUSE_MAX_MS = 30_000

/**
 * Runs a step every `intervalMs`, counted from the end of the previous one. A step must be safe to
 * repeat. A step that throws is logged and retried with growing pauses. One that does many things
 * in turn begins no other once `stop` is aborted.
 */
export function every(
  intervalMs: number,
  name: string,
  log: Log,
  step: (stop: AbortSignal) => Promise<void>,
): Worker {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    let pauseMs = intervalMs
    while (!stopping.signal.aborted) {
      try {
        await step(stopping.signal)
        pauseMs = intervalMs
      } catch (fault) {
        log.error({ worker: name, fault }, 'A step of background work failed; it will be repeated')
        pauseMs = Math.max(Math.min(pauseMs * 2, FAULT_PAUSE_MAX_MS), intervalMs)
      }
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
