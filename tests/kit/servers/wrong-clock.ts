/** Loaded before a server starts, with `node --import`: its machine's clock is a day ahead. */
const AHEAD_MS = 24 * 3_600_000
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given: [] | [value: number | string | Date]) {
    super(given.length === 0 ? RightDate.now() + AHEAD_MS : given[0])
  }

  static override now(): number {
    return RightDate.now() + AHEAD_MS
  }
} as DateConstructor
