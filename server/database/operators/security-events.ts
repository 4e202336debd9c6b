import type { SecurityEventKind } from '#server/database/tables/operator-tables.ts'
import type { Database, Row } from '#server/database/tables/tables.ts'

export type SecurityEventRow = Row<'operator_security_events'>

export type NewSecurityEvent = {
  /** Null if an attempt named nobody known. */
  operatorId: string | null
  kind: SecurityEventKind
  address: string
  userAgent: string
  /** Never a secret, and never an unknown person's address. */
  details?: Record<string, string>
  at: Date
}

export async function insertSecurityEvent(
  database: Database,
  { operatorId, kind, address, userAgent, details = {}, at }: NewSecurityEvent,
): Promise<void> {
  await database
    .insertInto('operator_security_events')
    .values({
      operator_id: operatorId,
      at,
      kind,
      address,
      user_agent: userAgent,
      details: JSON.stringify(details),
    })
    .execute()
}

/** What happened to how an operator signs in, newest first, from `before` on. */
export async function listSecurityEvents(
  database: Database,
  { operatorId, from, limit }: { operatorId: string; from: bigint | null; limit: number },
): Promise<SecurityEventRow[]> {
  let query = database
    .selectFrom('operator_security_events')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (from !== null) query = query.where('id', '<=', from)
  return await query.execute()
}

/** Where an operator has signed in from since then, each place as often as it happened. */
export async function listSignInPlaces(
  database: Database,
  operatorId: string,
  since: Date,
): Promise<{ address: string; user_agent: string }[]> {
  return await database
    .selectFrom('operator_security_events')
    .select(['address', 'user_agent'])
    .distinct()
    .where('operator_id', '=', operatorId)
    .where('kind', 'in', ['signed_in', 'accepted'])
    .where('at', '>', since)
    .execute()
}
