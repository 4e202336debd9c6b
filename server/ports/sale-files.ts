import type { SaleChange } from '#domain/sale/changes/sale-changes.ts'
import type { RailName, Sale } from '#domain/sale/sale.ts'
import type { SaleReading } from '#domain/sale/sale-reading.ts'
import type { Rail } from './rail.ts'

export type SaleFiles = {
  /**
   * Reads the text of a sale file, with the pictures beside the file on the disk. Durations in it
   * count from `firstAppliedAt`.
   */
  read(text: string, firstAppliedAt: Date): SaleReading
  /** What the server's settings lack for a sale, a sentence each; empty if nothing is missing. */
  listMissing(sale: Sale): readonly string[]
  /** What a start with a sale would warn of, a sentence each. */
  listWarnings(
    reading: Extract<SaleReading, { ok: true }>,
    changes: readonly SaleChange[],
    now: Date,
  ): readonly string[]
  /** Builds the rails of a sale. Throws a sentence if that is impossible. */
  buildRails(sale: Sale): Promise<ReadonlyMap<RailName, Rail>>
}
