import type { TokenAmount } from '#domain/money.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** What a user owned in a snapshot, and where it came from. */
export type SnapshotRecord = {
  snapshot: number
  tokens: TokenAmount
  address: string | null
  parts: readonly { id: string; stageId: string; tokens: TokenAmount; salt: Uint8Array }[]
}

/** Everything that snapshots contain about a user, for the user's own export. */
export async function listSnapshotRecords(
  database: Database,
  userId: string,
): Promise<SnapshotRecord[]> {
  const owned = await database
    .selectFrom('snapshot_owners')
    .select(['snapshot', 'tokens', 'address'])
    .where('user_id', '=', userId)
    .orderBy('snapshot')
    .execute()
  const leaves = await database
    .selectFrom('snapshot_leaves')
    .select(['snapshot', 'cause_id as id', 'stage_id as stageId', 'tokens', 'salt'])
    .where('user_id', '=', userId)
    .orderBy('snapshot')
    .orderBy('tree_index')
    .execute()
  return owned.map((row) => ({
    ...row,
    parts: leaves
      .filter(({ snapshot }) => snapshot === row.snapshot)
      .map(({ id, stageId, tokens, salt }) => ({ id, stageId, tokens, salt })),
  }))
}

/** What distributions gave to a user, whatever became of it. */
export async function listDistributionRecords(
  database: Database,
  userId: string,
): Promise<{ distribution_id: bigint; tokens: TokenAmount }[]> {
  return await database
    .selectFrom('distribution_parts')
    .select(['distribution_id', 'tokens'])
    .where('user_id', '=', userId)
    .orderBy('distribution_id')
    .execute()
}
