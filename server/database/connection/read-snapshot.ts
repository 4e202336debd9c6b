import { sql } from 'kysely'

import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/** Whatever `read` returns, as of one moment. */
export async function inSnapshot<Result>(
  database: Database,
  read: (snapshot: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction().setIsolationLevel('repeatable read')
  return await transaction.setAccessMode('read only').execute(read)
}

/** Nothing is locked, so a reader may be slow; this is more than the timeout of a response. */
const READER_MAX_MS = 30_000

/**
 * Whatever `read` returns, in batches from one snapshot, however long the reading takes; it
 * occupies a database connection until the last batch, or until the reader stops.
 */
export async function* readSnapshot<Row>(
  database: Database,
  read: (snapshot: Database) => AsyncGenerator<Row[]>,
): AsyncGenerator<Row[]> {
  const transaction = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    await sql`
      select set_config('idle_in_transaction_session_timeout', ${String(READER_MAX_MS)}, true)`.execute(
      transaction,
    )
    yield* read(transaction)
  } finally {
    // Nothing was written; a connection that broke meanwhile has ended its transaction already.
    await transaction
      .rollback()
      .execute()
      .catch(() => {})
  }
}
