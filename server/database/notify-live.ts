import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** What a notification says; it has the form of `LiveChange` in `services.ts`. */
export type Notification =
  | { kind: 'purchase'; userId: string; transactionId: string }
  | { kind: 'stage' }
  | { kind: 'prices' }

/** Tells all instances of changes, at the moment the transaction commits and only if it does. */
export async function notifyLive(
  database: Database,
  notifications: readonly Notification[],
): Promise<void> {
  if (notifications.length === 0) return
  const payloads = notifications.map((notification) => JSON.stringify(notification))
  await sql`select pg_notify('live', payload) from unnest(${payloads}::text[]) as payload`.execute(
    database,
  )
}
