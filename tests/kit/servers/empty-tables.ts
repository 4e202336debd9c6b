import { sql } from 'kysely'
import type { Database } from '#server/database/tables/tables.ts'

/**
 * Throws all rows away, so that the tests of one file can share a database. The triggers that keep
 * some tables append-only are asleep meanwhile.
 */
export async function emptyTables(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ tablename: string }>`
      select tablename from pg_tables
      where schemaname = 'public' and tablename <> 'migrations'`.execute(transaction)
    const tables = sql.join(rows.map(({ tablename }) => sql.table(tablename)))
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql`truncate ${tables} restart identity`.execute(transaction)
  })
}
