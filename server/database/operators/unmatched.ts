import { sql } from 'kysely'

import { readInBatches } from '#server/database/connection/read-in-batches.ts'
import { readSnapshot } from '#server/database/connection/read-snapshot.ts'
import type { Database, Row } from '#server/database/tables/tables.ts'

/** The id of a transfer in the inbox. */
export const unmatchedId = sql`concat_ws(':', moved.chain, moved.transaction_hash, moved.output_index)`

/** It is there, and nobody has put it away. */
export const isOpenUnmatched = sql`not moved.is_gone and not exists (
  select from inbox_closed as closed
  where closed.kind = 'unmatched' and closed.item_id = ${unmatchedId}
)`

/** How many transfers there are that no purchase has and nobody has put away. */
export async function countUnmatched(database: Database): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from unmatched_transfers as moved where ${isOpenUnmatched}`.execute(
    database,
  )
  return Number(rows[0]?.count ?? 0)
}

const EXPORT_BATCH = 200

/** With when it was put away in the inbox, and why; null while it was not. */
export type ExportedUnmatched = Row<'unmatched_transfers'> & {
  closed_at: Date | null
  closed_reason: string | null
}

/** Every transfer that belongs to no purchase, whatever became of it. */
export function readExportedUnmatched(database: Database): AsyncGenerator<ExportedUnmatched[]> {
  return readSnapshot(database, (snapshot) =>
    readInBatches(
      async (after: ExportedUnmatched | null) => {
        const isAfter =
          after === null
            ? sql`true`
            : sql`(moved.chain, moved.transaction_hash, moved.output_index) >
                (${after.chain}, ${after.transaction_hash}, ${after.output_index}::integer)`
        const { rows } = await sql<ExportedUnmatched>`
          select moved.*, closed.at as closed_at, closed.reason as closed_reason
          from unmatched_transfers as moved
          left join inbox_closed as closed
            on closed.kind = 'unmatched' and closed.item_id = ${unmatchedId}
          where ${isAfter}
          order by moved.chain, moved.transaction_hash, moved.output_index
          limit ${EXPORT_BATCH}`.execute(snapshot)
        return rows
      },
      (last) => last,
    ),
  )
}
