import { type Selectable, sql } from 'kysely'

import type { Database, Tables } from '#server/database/tables/tables.ts'

/**
 * The row of a table whose columns have these values, of which there is one at most; null if there
 * is none. A lock stays until the transaction ends.
 */
export async function findRow<Name extends keyof Tables>(
  database: Database,
  table: Name,
  values: Partial<Selectable<Tables[Name]>>,
  lock?: 'for update' | 'for no key update' | 'for key share',
): Promise<Selectable<Tables[Name]> | null> {
  const conditions = Object.entries(values).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  )
  const { rows } = await sql<Selectable<Tables[Name]>>`
    select * from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
    ${sql.raw(lock ?? '')}`.execute(database)
  return rows[0] ?? null
}
