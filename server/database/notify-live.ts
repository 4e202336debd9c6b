import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** What a notification says; it has the form of `LiveChange` in `services.ts`. */
export type Notification =
  | { kind: 'purchase'; userId: string; transactionId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }

/** PostgreSQL takes payloads of less than 8,000 bytes; a change is at most 130. */
const CHANGES_MAX = 50

/** Tells all instances of changes, at the moment the transaction commits and only if it does. */
export async function notifyLive(
  database: Database,
  notifications: readonly Notification[],
): Promise<void> {
  if (notifications.length === 0) return
  const payloads: string[] = []
  for (let from = 0; from < notifications.length; from += CHANGES_MAX) {
    payloads.push(JSON.stringify(notifications.slice(from, from + CHANGES_MAX)))
  }
  await sql`select pg_notify('live', payload) from unnest(${payloads}::text[]) as payload`.execute(
    database,
  )
}
