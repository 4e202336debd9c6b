import type { VisitCounter } from '#server/ports/runtime.ts'

/** Counts pages in memory, so that sending one does not write to the database. */
export function createVisitCounter(): VisitCounter {
  let count = 0
  return {
    add: (more = 1) => {
      count += more
    },
    take() {
      const taken = count
      count = 0
      return taken
    },
  }
}
