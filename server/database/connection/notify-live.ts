import { sql } from 'kysely'
import type { LiveChange } from '#domain/live-change.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** The channel on which every committed change is notified. */
export const LIVE_CHANNEL = 'live'

/** PostgreSQL takes payloads of less than 8,000 bytes; a change is at most 130. */
const CHANGES_MAX = 50

/** Notifies all instances of changes when the transaction commits, and only if it does. */
export async function notifyLive(
  database: Database,
  changes: readonly LiveChange[],
): Promise<void> {
  if (changes.length === 0) return
  const payloads: string[] = []
  for (let from = 0; from < changes.length; from += CHANGES_MAX) {
    payloads.push(JSON.stringify(changes.slice(from, from + CHANGES_MAX)))
  }
  await sql`
    select pg_notify(${LIVE_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(database)
}
