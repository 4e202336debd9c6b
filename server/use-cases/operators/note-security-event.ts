import {
  insertSecurityEvent,
  type NewSecurityEvent,
} from '#server/database/operators/security-events.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'

const USER_AGENT_LENGTH_MAX = 300

/**
 * Keeps what happened to how an operator signs in. What changes something is noted in the
 * transaction of the change; what was refused outside of it, since that is undone.
 */
export async function noteSecurityEvent(
  { clock }: Pick<Services, 'clock'>,
  database: Database,
  event: Pick<NewSecurityEvent, 'operatorId' | 'kind' | 'details'>,
  { address, userAgent }: Client,
): Promise<void> {
  await insertSecurityEvent(database, {
    ...event,
    address,
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    at: clock.now(),
  })
}
