import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'

/** Throws where the database does not answer. */
export async function reach(database: Database): Promise<void> {
  await sql`select 1`.execute(database)
}
