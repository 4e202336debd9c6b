import type { Clock } from '#server/ports/runtime.ts'

/** A clock that runs like any other, and can be set forward. */
export type TestClock = Clock & { pass(ms: number): void }

export function createTestClock(): TestClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    pass(ms) {
      aheadMs += ms
    },
  }
}
