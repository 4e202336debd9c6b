/** How many blocks are asked for at a time: as many as the node gives quickly. */
export type BatchSize = {
  current(): number
  /** After a batch that worked, with the time that it took. */
  noteSuccess(tookMs: number): void
  /** After one that failed, whatever the reason: it may have been too large. */
  noteFailure(): void
}

const QUICK_MS = 1_500
const SLOW_MS = 4_000

export function createBatchSize(first: number, max: number): BatchSize {
  let size = first
  return {
    current: () => size,
    noteSuccess(tookMs) {
      if (tookMs < QUICK_MS) size = Math.min(size * 2, max)
      if (tookMs > SLOW_MS) size = Math.max(size >> 1, 1)
    },
    noteFailure() {
      size = Math.max(size >> 1, 1)
    },
  }
}
