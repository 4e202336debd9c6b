import { expiredRecords } from '#server/database/accounts/retention.ts'
import { deleteWebhookEvents } from '#server/database/connections/webhook-deliveries.ts'
import { deleteExpiredInvitations } from '#server/database/operators/invitations.ts'
import { deleteEndedOperatorSessions } from '#server/database/operators/operator-sessions.ts'
import { deleteGatewayEvents } from '#server/database/rails/gateway-events.ts'
import { deleteCoinTransfers } from '#server/database/refunds/coin-transfers.ts'
import type { Services } from '#server/services.ts'
import { LOCATION_TTL_MS } from '#server/use-cases/sessions/known-locations.ts'

const DAY_MS = 24 * 60 * 60_000
/** Long enough to investigate what happened to an account, and more than any approval waits. */
const KEPT_MS = 30 * DAY_MS
const EVENTS_KEPT_MS = 90 * DAY_MS

/**
 * Deletes what is of no use any more: expired limits, links and sessions that ended a month ago,
 * locations that nobody logs in from, what was begun a day ago and never finished, old calls of
 * gateways and webhooks, and what was noted of payouts that are not followed any more. What cannot
 * be deleted is logged, and keeps nothing else from being deleted.
 */
export async function deleteExpiredRecords({ database, clock, log }: Services): Promise<void> {
  const now = clock.now()
  const ago = (durationMs: number) => new Date(now.getTime() - durationMs)
  const deletions = {
    ...expiredRecords(database, now, {
      endedBefore: ago(KEPT_MS),
      placesBefore: ago(LOCATION_TTL_MS),
      leftBefore: ago(DAY_MS),
    }),
    'operator sessions': () => deleteEndedOperatorSessions(database, ago(KEPT_MS)),
    invitations: () => deleteExpiredInvitations(database, ago(KEPT_MS)),
    'gateway events': () => deleteGatewayEvents(database, ago(EVENTS_KEPT_MS)),
    'webhook events': () => deleteWebhookEvents(database, ago(KEPT_MS)),
    'coin transfers': () => deleteCoinTransfers(database, now),
  }
  for (const [what, deleteAll] of Object.entries(deletions)) {
    try {
      await deleteAll()
    } catch (error) {
      log.error({ error, what }, 'Expired records could not be deleted. The server tries again')
    }
  }
}
