import { rowToWire, instantToWire, orNull } from '#contract/codec.ts'
import type { ApiKey, WebhookDelivery, WebhookEndpoint } from '#contract/operator/connections.ts'
import { permissions } from '#domain/operators/permissions.ts'
import { webhookEvents } from '#domain/operators/webhook-events.ts'
import type { KeyRow } from '#server/use-cases/connections/api-keys.ts'
import type { Delivery } from '#server/use-cases/connections/webhook-deliveries.ts'
import type { EndpointRow } from '#server/use-cases/connections/webhook-endpoints.ts'

export function presentEndpoint(row: EndpointRow, now: Date): WebhookEndpoint {
  const { disabled_at: disabledAt, failing_since: failingSince } = row
  const formerUntil = row.former_secret_until
  return {
    ...rowToWire(row),
    events: webhookEvents.filter((each) => row.events.includes(each)),
    state: disabledAt !== null ? 'disabled' : failingSince !== null ? 'failing' : 'working',
    state_date: orNull(disabledAt ?? failingSince, instantToWire),
    former_secret_until_date:
      formerUntil !== null && formerUntil > now ? instantToWire(formerUntil) : null,
  }
}

export function presentDelivery(row: Delivery): WebhookDelivery {
  return { ...rowToWire(row), id: String(row.id), event_date: instantToWire(row.at) }
}

export function presentKey(row: KeyRow, now: Date): ApiKey {
  const endedAt = row.ended_at ?? row.maker_removed_at
  return {
    ...rowToWire(row),
    permissions: permissions.filter((each) => row.permissions.includes(each)),
    state: endedAt !== null ? 'ended' : row.expires_at <= now ? 'expired' : 'active',
    ended_date: orNull(endedAt, instantToWire),
  }
}
