import { sql } from 'kysely'

import { invariant } from '#domain/invariant.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** What a stored tree is of: a snapshot by its number, or a distribution by its id. */
type TreeOf = { snapshot: number } | { distribution: bigint }

const NODE_BYTES = 32
/** 2,048 bytes, which stay in the row: a proof reads some twenty of them. */
const NODES_IN_PIECE = 64
const PIECES_AT_ONCE = 500

function tableOf(tree: TreeOf) {
  return 'snapshot' in tree
    ? { table: sql`snapshot_nodes`, key: sql`snapshot`, id: BigInt(tree.snapshot) }
    : { table: sql`distribution_nodes`, key: sql`distribution_id`, id: tree.distribution }
}

export async function insertNodes(
  transaction: DatabaseTransaction,
  tree: TreeOf,
  nodes: Uint8Array,
): Promise<void> {
  const { table, key, id } = tableOf(tree)
  const count = Math.ceil(nodes.length / NODE_BYTES / NODES_IN_PIECE)
  const starts = Array.from({ length: count }, (_, nth) => nth * NODES_IN_PIECE)
  for (let from = 0; from < count; from += PIECES_AT_ONCE) {
    const some = starts.slice(from, from + PIECES_AT_ONCE)
    const pieces = some.map((start) =>
      nodes.subarray(start * NODE_BYTES, (start + NODES_IN_PIECE) * NODE_BYTES),
    )
    await sql`
      insert into ${table} (${key}, start, nodes)
      select ${id}::bigint, each.* from unnest(
        ${arrayText(some)}::integer[], ${arrayText(pieces)}::bytea[]
      ) as each`.execute(transaction)
  }
}

/** Reads some nodes of a tree, and returns what gives each by its index. */
export async function findNodes(
  database: Database,
  tree: TreeOf,
  indexes: readonly number[],
): Promise<(index: number) => Uint8Array> {
  const { table, key, id } = tableOf(tree)
  const { rows } = await sql<{ index: number; node: Uint8Array }>`
    select wanted.index,
      substring(piece.nodes from (wanted.index - piece.start) * ${sql.lit(NODE_BYTES)} + 1
        for ${sql.lit(NODE_BYTES)}) as node
    from unnest(${arrayText([...new Set(indexes)])}::integer[]) as wanted (index)
    join ${table} as piece on piece.${key} = ${id}
      and piece.start = wanted.index - wanted.index % ${sql.lit(NODES_IN_PIECE)}`.execute(database)
  const found = new Map(rows.map(({ index, node }) => [index, node]))
  return (index) => {
    const node = found.get(index)
    invariant(node?.length === NODE_BYTES, 'A stored tree has all of its nodes.')
    return node
  }
}

/** All nodes of a tree in their order, in pieces. */
export async function* readNodes(database: Database, tree: TreeOf): AsyncGenerator<Uint8Array> {
  const { table, key, id } = tableOf(tree)
  for (let start = 0; ; start += PIECES_AT_ONCE * NODES_IN_PIECE) {
    const { rows } = await sql<{ nodes: Uint8Array }>`
      select nodes from ${table}
      where ${key} = ${id} and start >= ${start}
      order by start limit ${PIECES_AT_ONCE}`.execute(database)
    for (const { nodes } of rows) yield nodes
    if (rows.length < PIECES_AT_ONCE) return
  }
}
