import type { Sale } from './sale.ts'

/** Where something stands in a text; both count from 1. */
export type Position = { line: number; column: number }

/** One thing that is wrong in a sale file, where it stands, and what was expected there. */
export type SaleFileFault = Position & {
  /** Such as `stages[2].token_price`; empty where the fault is the whole file's. */
  path: string
  /** `expected …, found …`, without a full stop. */
  message: string
}

/** A sale file as it was understood, or else all that is wrong with it, in order of its lines. */
export type SaleReading =
  | {
      ok: true
      sale: Sale
      /** Where a path, or else what is around it, stands in the file. */
      locate: (path: string) => Position
    }
  | { ok: false; faults: readonly SaleFileFault[] }
