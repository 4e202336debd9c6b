import type { Sale } from './sale.ts'

/** A position in a text; both count from 1. */
export type Position = { line: number; column: number }

/** A fault in a sale file: its position, and what was expected there. */
export type SaleFileFault = Position & {
  /** Such as `stages[2].token_price`; empty if the fault concerns the whole file. */
  path: string
  /** `expected …, found …`, without a full stop. */
  message: string
}

/** A sale file as it was understood, or else everything that is wrong with it, by line. */
export type SaleReading =
  | {
      ok: true
      sale: Sale
      /** The paths of the dates that are durations. */
      countedDates: readonly string[]
      /** The position of a path in the file, or else of what encloses it. */
      locate: (path: string) => Position
    }
  | { ok: false; faults: readonly SaleFileFault[] }
