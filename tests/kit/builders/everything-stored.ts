import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'

/** Every row of every table as one text, for finding what must not be in any of them. */
export async function everythingStored(database: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'migrations'`.execute(database)
  const contents: unknown[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database)
    contents.push({ name, rows })
  }
  return JSON.stringify(contents, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** The tables with a column that refers to a user or a purchase. */
export async function tablesAboutUsers(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public'
      and column_name in
        ('user_id', 'account_id', 'purchase_id', 'referrer_id', 'referee_id', 'cause_id', 'email')
    order by table_name`.execute(database)
  return rows.map(({ name }) => name)
}
