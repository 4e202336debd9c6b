import { instantToWire, orNull } from '#contract/codec.ts'
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
    id: row.id,
    url: row.url,
    description: row.description,
    events: webhookEvents.filter((each) => row.events.includes(each)),
    state: disabledAt !== null ? 'disabled' : failingSince !== null ? 'failing' : 'working',
    state_date: orNull(disabledAt ?? failingSince, instantToWire),
    disabled_by: row.disabled_by,
    waiting: row.waiting,
    last_delivered_date: orNull(row.last_delivered_at, instantToWire),
    former_secret_until_date:
      formerUntil !== null && formerUntil > now ? instantToWire(formerUntil) : null,
    created_date: instantToWire(row.created_at),
  }
}

export function presentDelivery(row: Delivery): WebhookDelivery {
  return {
    id: String(row.id),
    endpoint_id: row.endpoint_id,
    message_id: row.message_id,
    type: row.type,
    event_date: instantToWire(row.at),
    payload: row.payload,
    state: row.state,
    attempts: row.attempts,
    last_attempt_date: orNull(row.last_attempt_at, instantToWire),
    last_status: row.last_status,
    last_fault: row.last_fault,
    next_attempt_date: orNull(row.next_attempt_at, instantToWire),
    delivered_date: orNull(row.delivered_at, instantToWire),
  }
}

export function presentKey(row: KeyRow, now: Date): ApiKey {
  const endedAt = row.ended_at ?? row.maker_removed_at
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    permissions: permissions.filter((each) => row.permissions.includes(each)),
    state: endedAt !== null ? 'ended' : row.expires_at <= now ? 'expired' : 'active',
    made_by: row.made_by,
    created_date: instantToWire(row.created_at),
    expires_date: instantToWire(row.expires_at),
    last_used_date: orNull(row.last_used_at, instantToWire),
    ended_date: orNull(endedAt, instantToWire),
  }
}
