import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** How far apart two instances' readings of the database's clock may be. */
export const CLOCKS_APART_MAX_MS = 60_000

export type ChainProgress = { cursor: string; height: bigint; readThrough: Date }

/** Null if it was never read. */
export async function findChain(database: Database, name: string): Promise<ChainProgress | null> {
  const row = await database
    .selectFrom('chains')
    .select(['cursor', 'height', 'read_through as readThrough'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

/** By name; chains that were never read are missing. */
export async function listProgress(
  database: Database,
): Promise<ReadonlyMap<string, Omit<ChainProgress, 'cursor'>>> {
  const rows = await database
    .selectFrom('chains')
    .select(['name', 'height', 'read_through'])
    .execute()
  return new Map(
    rows.map(({ name, height, read_through }) => [name, { height, readThrough: read_through }]),
  )
}

/**
 * Advances a chain's progress from where its reading began. False if another instance was quicker:
 * then the caller drops this reading, which would undo the other's.
 */
export async function advanceChain(
  transaction: DatabaseTransaction,
  name: string,
  from: ChainProgress | null,
  to: ChainProgress,
): Promise<boolean> {
  const row = { cursor: to.cursor, height: to.height, read_through: to.readThrough }
  if (from === null) {
    const inserted = await transaction
      .insertInto('chains')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()
    return inserted !== undefined
  }
  const updated = await transaction
    .updateTable('chains')
    .set(row)
    .where('name', '=', name)
    .where('cursor', '=', from.cursor)
    .where('read_through', '=', from.readThrough)
    .returning('name')
    .executeTakeFirst()
  return updated !== undefined
}
