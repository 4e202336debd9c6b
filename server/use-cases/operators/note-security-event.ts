import { networkOf } from '#domain/accounts/network.ts'
import {
  insertSecurityEvent,
  type NewSecurityEvent,
} from '#server/database/operators/security-events.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'

/**
 * Records what happened to how an operator signs in. A change is noted in its own transaction; a
 * refusal outside of it, since that is rolled back. Of attempts that name nobody known only so many
 * of each network are kept; the others are refused in the same words, and logged.
 */
export async function noteSecurityEvent(
  services: Services,
  database: Database,
  event: Pick<NewSecurityEvent, 'operatorId' | 'kind' | 'details'>,
  client: Client,
): Promise<void> {
  if (event.operatorId === null) {
    // Counting sign-ins instead would let a network's strangers keep its operators out.
    const rule = 'operator_unknown_by_network'
    if (!(await services.limits.takeIfLeft({ rule, key: networkOf(client.address) }))) return
  }
  await insertSecurityEvent(database, { ...event, ...client, at: services.clock.now() })
}
