import type { DistributionTool } from '#domain/delivery/distribution.ts'
import type { ToolSchedule } from '#domain/delivery/tool-schedule.ts'

export type DistributionRow = {
  /** From 0, in the order of the files. */
  place: number
  /** With the checksum of EIP-55. */
  address: string
  /** In base units of the token's contract. */
  amount: bigint
  /** Null if the tool has no tree. */
  treeIndex: number | null
}

export type FileContent = {
  id: bigint
  tool: DistributionTool
  chainId: number
  token: string
  decimals: number
  madeAt: Date
  rowCount: number
  /** Of all rows, in base units. */
  amount: bigint
  root: Uint8Array | null
  schedule: ToolSchedule | null
  /** Rows from a place on, in their order, in batches. */
  rows(from: number, count: number): AsyncIterable<readonly DistributionRow[]>
  /** The tree's nodes, of 32 bytes each, in pieces. */
  nodes(): AsyncIterable<Uint8Array>
}

export type FilePart = {
  name: string
  mediaType: string
  /** The first of its rows, and how many; none for a file that is not a list of wallets. */
  firstRow: number
  rowCount: number
}

/** Writes the files that tools read, byte for byte, and the leaves of their trees. */
export type DistributionFiles = {
  /** An address with its checksum (EIP-55); null if it is invalid or its checksum is wrong. */
  readAddress(text: string): Promise<string | null>
  /** How many bytes a leaf has before it is hashed; null if the tool has no tree. */
  leafWidth(tool: DistributionTool): number | null
  /** Appends the leaf of a row to those of the rows before it. */
  writeLeaf(
    tool: DistributionTool,
    into: Uint8Array,
    row: Pick<DistributionRow, 'place' | 'address' | 'amount'>,
  ): void
  list(content: Pick<FileContent, 'id' | 'tool' | 'rowCount' | 'schedule'>): readonly FilePart[]
  /** In non-empty pieces. The same content always gives the same bytes. */
  write(content: FileContent, part: FilePart): AsyncGenerator<string>
}
