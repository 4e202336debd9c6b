import { sql } from 'kysely'

import type { WebhookEvent } from '#domain/operators/webhook-events.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export type EndpointRow = Omit<
  Row<'webhook_endpoints'>,
  'sealed_secret' | 'sealed_former_secret' | 'ended_at'
> & {
  waiting: number
}

const columns = [
  'id',
  'url',
  'description',
  'events',
  'former_secret_until',
  'created_at',
  'last_delivered_at',
  'failing_since',
  'disabled_at',
  'disabled_by',
] as const

/** Endpoints that have not ended, oldest first. */
export async function listEndpointRows(database: Database): Promise<EndpointRow[]> {
  return await selectEndpoints(database).orderBy('created_at').orderBy('id').execute()
}

export async function findEndpointRow(database: Database, id: string): Promise<EndpointRow | null> {
  return (await selectEndpoints(database).where('id', '=', id).executeTakeFirst()) ?? null
}

function selectEndpoints(database: Database) {
  return database
    .selectFrom('webhook_endpoints')
    .select(columns)
    .select((each) =>
      each
        .selectFrom('webhook_deliveries')
        .select(sql<number>`count(*)::integer`.as('count'))
        .whereRef('endpoint_id', '=', 'webhook_endpoints.id')
        .where('state', '=', 'waiting')
        .$asScalar()
        .$notNull()
        .as('waiting'),
    )
    .where('ended_at', 'is', null)
}

export type LockedEndpoint = Pick<EndpointRow, 'url' | 'failing_since' | 'disabled_at'>

/** Locks an endpoint against changes by others. Null if there is none, or it has ended. */
export async function lockEndpoint(
  transaction: DatabaseTransaction,
  id: string,
): Promise<LockedEndpoint | null> {
  const row = await transaction
    .selectFrom('webhook_endpoints')
    .select(['url', 'failing_since', 'disabled_at'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export type NewEndpoint = {
  id: string
  url: string
  description: string
  events: readonly WebhookEvent[]
  sealedSecret: Uint8Array
  at: Date
}

/** False if there are already `countMax` endpoints. */
export async function insertEndpoint(
  transaction: DatabaseTransaction,
  { sealedSecret, at, ...endpoint }: NewEndpoint,
  countMax: number,
): Promise<boolean> {
  // One after the other, so that the count is right; nothing else locks the table like this.
  await sql`lock table webhook_endpoints in share row exclusive mode`.execute(transaction)
  const { count } = await transaction
    .selectFrom('webhook_endpoints')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= countMax) return false
  await transaction
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, sealed_secret: sealedSecret, created_at: at })
    .execute()
  return true
}

type Changes = Partial<
  Pick<
    Row<'webhook_endpoints'>,
    'url' | 'description' | 'events' | 'disabled_at' | 'disabled_by' | 'ended_at' | 'failing_since'
  >
>

export async function updateEndpoint(
  database: Database,
  id: string,
  changes: Changes,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await database.updateTable('webhook_endpoints').set(changes).where('id', '=', id).execute()
}

/** Gives a locked endpoint a new secret; the old one also signs until `formerUntil`. */
export async function replaceSecret(
  transaction: DatabaseTransaction,
  id: string,
  { sealedSecret, formerUntil }: { sealedSecret: Uint8Array; formerUntil: Date },
): Promise<void> {
  await transaction
    .updateTable('webhook_endpoints')
    .set((row) => ({
      sealed_former_secret: row.ref('sealed_secret'),
      former_secret_until: formerUntil,
      sealed_secret: sealedSecret,
    }))
    .where('id', '=', id)
    .execute()
}
