import type { SightedTransfer } from '#server/ports/rail.ts'

/** What was recorded of the transfers that rails reported. */
export type TransferRecord = {
  /**
   * The transfers of a chain that are not gone and stand above a height, or wait for a block.
   * After a reorganisation, those of them that the chain no longer has are reported as gone.
   */
  listAbove(chain: string, height: bigint): Promise<SightedTransfer[]>
  /**
   * How much has reached each address up to a height, by address and payment token. What is gone,
   * and assets that the sale does not know, are left out.
   */
  sumUpTo(chain: string, height: bigint): Promise<ReadonlyMap<string, ReadonlyMap<string, bigint>>>
}
