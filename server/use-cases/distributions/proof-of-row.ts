import { proofNodes } from '#domain/delivery/tree-proof.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { findNodes, type StoredDistribution } from '#server/database/delivery/distributions.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** The hashes that prove a row to the tool's contract, in hex; none if the tool has no tree. */
export async function proofOfRow(
  database: Database,
  { id, tool, row_count: rowCount }: Pick<StoredDistribution, 'id' | 'tool' | 'row_count'>,
  treeIndex: number | null,
): Promise<`0x${string}`[]> {
  const { tree } = toolTraits[tool]
  if (tree === null || treeIndex === null) return []
  const nodes = await findNodes(database, id, proofNodes(tree, rowCount, treeIndex))
  return nodes.map((node): `0x${string}` => `0x${Buffer.from(node).toString('hex')}`)
}
