/**
 * Keeps a rail from asking a node more often than is polite, and slows it down while the node
 * fails.
 */
export type Pacing = {
  /** False until it is time for the next reading. */
  isDue(): boolean
  /** Whether the last reading failed, so that even a small question has to wait. */
  isFailing(): boolean
  /** After a reading that worked; `factor` stretches the time to the next one. */
  noteSuccess(factor: number): void
  /** After one that failed: the pause doubles each time. */
  noteFailure(): void
}

export type Pace = {
  /** The pause between two readings. */
  everyMs: number
  /** The pause after the first failure, and its maximum. */
  pauseMs: number
  pauseMaxMs: number
  /** The pause between two checks of payment tokens that cannot be used at present. */
  recheckMs: number
}

export function createPacing({ everyMs, pauseMs, pauseMaxMs }: Omit<Pace, 'recheckMs'>): Pacing {
  let dueAt = 0
  let failures = 0
  return {
    isDue: () => performance.now() >= dueAt,
    isFailing: () => failures > 0,
    noteSuccess(factor) {
      failures = 0
      dueAt = performance.now() + everyMs * factor
    },
    noteFailure() {
      dueAt = performance.now() + Math.min(pauseMs * 2 ** failures, pauseMaxMs)
      failures += 1
    },
  }
}
