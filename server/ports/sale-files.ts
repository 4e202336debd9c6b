import type { RailName, Sale } from '#domain/sale/sale.ts'
import type { SaleReading } from '#domain/sale/sale-reading.ts'
import type { Rail } from './rail.ts'

/** Reads sale files, and says what this server has for them. */
export type SaleFiles = {
  /**
   * Reads the text of a sale file, with the pictures that stand beside the file on the disk.
   * Durations in it are counted from `firstAppliedAt`.
   */
  read(text: string, firstAppliedAt: Date): SaleReading
  /** What the server's settings lack for a sale, a sentence each; empty if it has it all. */
  listMissing(sale: Sale): readonly string[]
  /** Builds what takes the payments of a sale. Throws a sentence where that cannot be had. */
  buildRails(sale: Sale): Promise<ReadonlyMap<RailName, Rail>>
}
