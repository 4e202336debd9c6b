import { sql } from 'kysely'

import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/**
 * Up to this many attempts, an event holds back later ones about the same subject, and while it is
 * being sent.
 */
const TRIES_IN_ORDER = 4

export async function listDueEndpoints(database: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints
    where ended_at is null and disabled_at is null and exists (
      select from webhook_deliveries
      where endpoint_id = webhook_endpoints.id and state = 'waiting'
        and coalesce(next_attempt_at, '-infinity') <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
    )`.execute(database)
  return rows.map(({ id }) => id)
}

/** A claim on a delivery: it belongs to its owner until somebody takes it over after `until`. */
export type DeliveryClaim = { owner: string; until: Date }

export type ClaimedDelivery = {
  id: bigint
  attempts: number
  endpointId: string
  url: string
  /** All secrets with which it is signed. */
  sealedSecrets: readonly Uint8Array[]
  event: { messageId: string; type: string; at: Date; data: Record<string, string> }
}

type ClaimedRow = Pick<ClaimedDelivery, 'id' | 'attempts' | 'url'> &
  ClaimedDelivery['event'] & { secret: Uint8Array; formerSecret: Uint8Array | null }

/**
 * Takes an endpoint's next delivery that is due, new ones before failed ones, so that nobody else
 * sends it before the claim ends. Counts the attempt. A delivery waits for an earlier one about the
 * same subject, unless that fails again and again. Null if none is due.
 */
export async function claimDelivery(
  database: Database,
  endpointId: string,
  claim: DeliveryClaim,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const { rows } = await sql<ClaimedRow>`
    update webhook_deliveries as delivery
    set claimed_by = ${claim.owner}, claimed_until = ${claim.until}, attempts = attempts + 1,
      last_attempt_at = ${now}
    from webhook_endpoints as endpoint, webhook_events as event
    where delivery.id = (
      select due.id from webhook_deliveries as due
      where due.endpoint_id = ${endpointId} and due.state = 'waiting'
        and coalesce(due.next_attempt_at, '-infinity') <= ${now}
        and (due.claimed_until is null or due.claimed_until <= ${now})
        and not exists (
          select from webhook_deliveries as earlier
          where earlier.endpoint_id = due.endpoint_id and earlier.subject = due.subject
            and earlier.state = 'waiting' and earlier.id < due.id
            and (earlier.attempts < ${TRIES_IN_ORDER} or earlier.claimed_until > ${now})
        )
      order by coalesce(due.next_attempt_at, '-infinity'), due.id
      limit 1
      for update skip locked
    )
      and endpoint.id = delivery.endpoint_id and event.id = delivery.event_id
      and endpoint.ended_at is null and endpoint.disabled_at is null
    returning delivery.id, attempts, url, sealed_secret as secret,
      case when former_secret_until > ${now} then sealed_former_secret end as "formerSecret",
      message_id as "messageId", type, at, data`.execute(database)
  const [row] = rows
  if (row === undefined) return null
  const { id, attempts, url, secret, formerSecret, ...event } = row
  const sealedSecrets = [secret, ...(formerSecret === null ? [] : [formerSecret])]
  return { id, attempts, endpointId, url, sealedSecrets, event }
}

/** Whoever holds the claim by now, it has arrived. The endpoint no longer counts as failing. */
export async function markDelivered(
  transaction: DatabaseTransaction,
  { id, endpointId }: Pick<ClaimedDelivery, 'id' | 'endpointId'>,
  { now, status }: { now: Date; status: number },
): Promise<void> {
  // The endpoint before its delivery: everybody locks them in this order.
  await transaction
    .updateTable('webhook_endpoints')
    .set({ last_delivered_at: now, failing_since: null })
    .where('id', '=', endpointId)
    .execute()
  await transaction
    .updateTable('webhook_deliveries')
    .set({
      state: 'delivered',
      delivered_at: now,
      claimed_by: null,
      claimed_until: null,
      next_attempt_at: null,
      last_status: status,
      last_fault: null,
    })
    .where('id', '=', id)
    .execute()
}

export type FailedAttempt = {
  /** Null if there was no reply. */
  status: number | null
  fault: string
  /** Null gives the delivery up. */
  nextAttemptAt: Date | null
}

/** False if the claim was lost meanwhile: another owner tries, or it is to be sent again. */
export async function markAttemptFailed(
  transaction: DatabaseTransaction,
  { id }: Pick<ClaimedDelivery, 'id'>,
  owner: string,
  { status, fault, nextAttemptAt }: FailedAttempt,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_deliveries')
    .set({
      state: nextAttemptAt === null ? 'given_up' : 'waiting',
      claimed_by: null,
      claimed_until: null,
      next_attempt_at: nextAttemptAt,
      last_status: status,
      last_fault: fault,
    })
    .where('id', '=', id)
    .where('claimed_by', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases a delivery that was broken off, as if it had not been tried. */
export async function releaseDelivery(
  database: Database,
  { id }: Pick<ClaimedDelivery, 'id'>,
  owner: string,
): Promise<void> {
  await database
    .updateTable('webhook_deliveries')
    .set({ claimed_by: null, claimed_until: null, attempts: sql`attempts - 1` })
    .where('id', '=', id)
    .where('claimed_by', '=', owner)
    .execute()
}

/** An event made by hand for one endpoint. Returns the id of its delivery. */
export async function insertTestDelivery(
  transaction: DatabaseTransaction,
  endpointId: string,
  { type, at }: { type: string; at: Date },
): Promise<bigint> {
  const data = JSON.stringify({ endpoint_id: endpointId, status: 'test' })
  const event = await transaction
    .insertInto('webhook_events')
    .values({ type, subject: null, data, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = await transaction
    .insertInto('webhook_deliveries')
    .values({ endpoint_id: endpointId, event_id: event.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return delivery.id
}

/**
 * To be sent at once, counting attempts from nothing. One that is under way loses its claim, and so
 * changes nothing unless it arrives.
 */
const REQUEUED = { attempts: 0, next_attempt_at: null, claimed_by: null, claimed_until: null }

/** Sends it again, with the same id. */
export async function requeueDelivery(
  transaction: DatabaseTransaction,
  deliveryId: bigint,
): Promise<void> {
  await transaction
    .updateTable('webhook_deliveries')
    .set({ ...REQUEUED, state: 'waiting', delivered_at: null })
    .where('id', '=', deliveryId)
    .execute()
}

/** Sends everything that waits for an endpoint. */
export async function requeueWaiting(
  transaction: DatabaseTransaction,
  endpointId: string,
): Promise<void> {
  await transaction
    .updateTable('webhook_deliveries')
    .set(REQUEUED)
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .execute()
}

export type DeliveryRow = Awaited<
  ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>
>

/** The deliveries of an endpoint, newest first, from an id on, inclusive. */
export async function listDeliveryRows(
  database: Database,
  endpointId: string,
  page: { state: DeliveryRow['state'] | null; startId: bigint | null; countMax: number },
): Promise<DeliveryRow[]> {
  let query = selectDeliveries(database)
    .where('endpoint_id', '=', endpointId)
    .orderBy('delivery.id', 'desc')
    .limit(page.countMax)
  if (page.state !== null) query = query.where('state', '=', page.state)
  if (page.startId !== null) query = query.where('delivery.id', '<=', page.startId)
  return await query.execute()
}

export async function findDeliveryRow(
  database: Database,
  deliveryId: bigint,
): Promise<DeliveryRow | null> {
  const query = selectDeliveries(database).where('delivery.id', '=', deliveryId)
  return (await query.executeTakeFirst()) ?? null
}

function selectDeliveries(database: Database) {
  return database
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .select([
      'delivery.id',
      'endpoint_id',
      'message_id',
      'type',
      'data',
      'at',
      'state',
      'attempts',
      'next_attempt_at',
      'last_attempt_at',
      'last_status',
      'last_fault',
      'delivered_at',
    ])
}

/**
 * Deletes older events with their deliveries, unless one is still to be sent. To an endpoint that
 * has ended nothing is.
 */
export async function deleteWebhookEvents(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('webhook_events')
    .where('at', '<', before)
    .where((event) =>
      event.not(
        event.exists(
          event
            .selectFrom('webhook_deliveries')
            .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'endpoint_id')
            .select('webhook_deliveries.id')
            .whereRef('event_id', '=', 'webhook_events.id')
            .where('state', '=', 'waiting')
            .where('endpoint.ended_at', 'is', null),
        ),
      ),
    )
    .execute()
}
