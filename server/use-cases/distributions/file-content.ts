import type { Hash } from 'node:crypto'

import { readRows, type StoredDistribution } from '#server/database/delivery/distributions.ts'
import { readNodes } from '#server/database/delivery/tree-nodes.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { DistributionRow, FileContent, FilePart } from '#server/ports/distribution-files.ts'
import type { Services } from '#server/services.ts'

type Stored = Pick<
  StoredDistribution,
  | 'id'
  | 'tool'
  | 'chain_id'
  | 'token'
  | 'token_decimals'
  | 'made_at'
  | 'row_count'
  | 'amount'
  | 'root'
  | 'schedule'
>

/** What the files of a distribution are made of, read as they are written. */
export function contentOf(database: Database, stored: Stored): FileContent {
  const { id, tool, token } = stored
  return {
    id,
    tool,
    chainId: Number(stored.chain_id),
    token,
    decimals: stored.token_decimals,
    madeAt: stored.made_at,
    rowCount: stored.row_count,
    amount: stored.amount,
    root: stored.root,
    schedule: stored.schedule,
    async *rows(from, count) {
      for await (const rows of readRows(database, id, { from, count })) {
        yield rows.map(({ tree_index: treeIndex, ...row }): DistributionRow => {
          return { ...row, treeIndex }
        })
      }
    },
    nodes: () => readNodes(database, { distribution: id }),
  }
}

export async function hashFile(
  { distributionFiles }: Services,
  content: FileContent,
  part: FilePart,
  hash: Hash,
): Promise<{ sha256: Uint8Array; bytes: bigint; amount: bigint }> {
  let bytes = 0n
  let amount = 0n
  const counted: FileContent = {
    ...content,
    async *rows(from, count) {
      for await (const rows of content.rows(from, count)) {
        for (const row of rows) amount += row.amount
        yield rows
      }
    },
  }
  for await (const text of distributionFiles.write(counted, part)) {
    hash.update(text)
    bytes += BigInt(Buffer.byteLength(text))
  }
  return { sha256: hash.digest(), bytes, amount: part.rowCount === 0 ? 0n : amount }
}
