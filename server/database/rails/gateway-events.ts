import type { Database } from '#server/database/tables/tables.ts'

export async function hasGatewayEvent(
  database: Database,
  gateway: string,
  eventId: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('gateway_events')
    .select('event_id')
    .where('gateway', '=', gateway)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores an event; an existing one stays as it was. */
export async function saveGatewayEvent(
  database: Database,
  event: { gateway: string; eventId: string; body: string; at: Date },
): Promise<void> {
  await database
    .insertInto('gateway_events')
    .values({
      gateway: event.gateway,
      event_id: event.eventId,
      received_at: event.at,
      body: event.body,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteGatewayEvents(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('gateway_events').where('received_at', '<', before).execute()
}
