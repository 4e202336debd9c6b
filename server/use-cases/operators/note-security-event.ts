import {
  insertSecurityEvent,
  type NewSecurityEvent,
} from '#server/database/operators/security-events.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'

/**
 * Records what happened to how an operator signs in. A change is noted in its own transaction; a
 * refusal outside of it, since that is rolled back.
 */
export async function noteSecurityEvent(
  { clock }: Services,
  database: Database,
  event: Pick<NewSecurityEvent, 'operatorId' | 'kind' | 'details'>,
  client: Client,
): Promise<void> {
  await insertSecurityEvent(database, { ...event, ...client, at: clock.now() })
}
