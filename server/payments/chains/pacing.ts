/**
 * Keeps a rail from asking a node more often than is polite, and ever less often while it fails.
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
  /** Between two readings. */
  everyMs: number
  /** After the first failure, and at most. */
  pauseMs: number
  pauseMaxMs: number
  /** Between two checks of what cannot be paid in as it is. */
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
