import type { ActName } from '#domain/operators/acts.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import type { WebhookEvent } from '#domain/operators/webhook-events.ts'
import { requeueWaiting } from '#server/database/connections/webhook-deliveries.ts'
import {
  type EndpointRow,
  findEndpointRow,
  insertEndpoint,
  listEndpointRows,
  lockEndpoint,
  type LockedEndpoint,
  replaceSecret,
  updateEndpoint,
} from '#server/database/connections/webhook-endpoints.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'

/** How many endpoints there may be: each event is stored once for every endpoint that wants it. */
const ENDPOINTS_MAX = 20
const FORMER_SECRET_TTL_MS = 24 * 60 * 60_000

export type { EndpointRow }

export async function listEndpoints({ database }: Services): Promise<readonly EndpointRow[]> {
  return await listEndpointRows(database)
}

/** Refuses with `NotFound`. */
export async function getEndpoint({ database }: Pick<Services, 'database'>, id: string) {
  const found = isId(id) ? await findEndpointRow(database, id) : null
  if (found === null) throw noEndpoint()
  return found
}

function noEndpoint(): Refusal {
  return new Refusal('NotFound', { message: 'There is no endpoint with this id' })
}

export type EndpointInput = { url: string; events: readonly WebhookEvent[]; description: string }

/**
 * Adds an endpoint that events are sent to from now on. Returns the secret, which is never shown
 * again. Refuses an address that is not public, and with `ConnectionLimitReached`.
 */
export async function createEndpoint(
  services: Services,
  input: EndpointInput,
  operator: Operator,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const { database, clock, random, webhookSigner } = services
  const { url, description } = input
  requireUrl(services, url)
  const id = random.id()
  const events = [...new Set(input.events)]
  const { secret, sealed } = webhookSigner.makeSecret(id)
  await database.transaction().execute(async (transaction) => {
    const endpoint = { id, url, description, events, sealedSecret: sealed, at: clock.now() }
    if (!(await insertEndpoint(transaction, endpoint, ENDPOINTS_MAX))) {
      throw new Refusal('ConnectionLimitReached', {
        message: `There are already ${ENDPOINTS_MAX} endpoints. End one that is not needed`,
      })
    }
    const details = { endpoint: id, ...shownOf(url), events: events.join(', ') }
    await recordAction(services, transaction, operator, { act: 'createWebhook', details })
  })
  return { endpoint: await getEndpoint(services, id), secret }
}

/** Changes what is given. Refuses with `NotFound`, and an address that is not public. */
export async function changeEndpoint(
  services: Services,
  id: string,
  {
    url,
    description,
    events,
  }: { [field in keyof EndpointInput]?: EndpointInput[field] | undefined },
  operator: Operator,
): Promise<EndpointRow> {
  if (url !== undefined) requireUrl(services, url)
  const texts = {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
  }
  const wanted = events && [...new Set(events)]
  const details = {
    ...shownOf(url),
    ...(description !== undefined && { description }),
    ...(wanted && { events: wanted.join(', ') }),
  }
  return await actOn(services, id, operator, 'changeWebhook', details, (transaction) =>
    updateEndpoint(transaction, id, { ...texts, ...(wanted && { events: wanted }) }),
  )
}

/**
 * Starts sending to it again, at first what waits, and whatever is still answered to earlier
 * attempts. Of one that is enabled, what waits keeps its time. Refuses with `NotFound`.
 */
export async function enableEndpoint(services: Services, id: string, operator: Operator) {
  return await actOn(services, id, operator, 'enableWebhook', {}, async (transaction, locked) => {
    if (locked.disabled_at !== null) await requeueWaiting(transaction, id)
    const changes = { disabled_at: null, disabled_by: null, failing_since: null }
    await updateEndpoint(transaction, id, changes)
  })
}

/** Sends nothing to it until it is enabled. Safe to repeat. Refuses with `NotFound`. */
export async function disableEndpoint(services: Services, id: string, operator: Operator) {
  const now = services.clock.now()
  return await actOn(services, id, operator, 'disableWebhook', {}, (transaction) =>
    updateEndpoint(transaction, id, { disabled_at: now, disabled_by: 'operator' }),
  )
}

/** Removes it for good; what was still to be sent is dropped. Refuses with `NotFound`. */
export async function endEndpoint(services: Services, id: string, operator: Operator) {
  const now = services.clock.now()
  await services.database.transaction().execute(async (transaction) => {
    await requireEndpoint(transaction, id)
    await updateEndpoint(transaction, id, { ended_at: now })
    const action = { act: 'endWebhook' as const, details: { endpoint: id } }
    await recordAction(services, transaction, operator, action)
  })
}

/**
 * Gives it a new secret, which is never shown again; the old one also signs for 24 hours, and the
 * one before that no longer.
 */
export async function rotateSecret(
  services: Services,
  id: string,
  operator: Operator,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  if (!isId(id)) throw noEndpoint()
  const { secret, sealed } = services.webhookSigner.makeSecret(id)
  const formerUntil = new Date(services.clock.now().getTime() + FORMER_SECRET_TTL_MS)
  const endpoint = await actOn(services, id, operator, 'rotateWebhookSecret', {}, (transaction) =>
    replaceSecret(transaction, id, { sealedSecret: sealed, formerUntil }),
  )
  return { endpoint, secret }
}

async function actOn(
  services: Services,
  id: string,
  operator: Operator,
  act: ActName,
  details: Record<string, string>,
  work: (transaction: DatabaseTransaction, endpoint: LockedEndpoint) => Promise<void>,
): Promise<EndpointRow> {
  await services.database.transaction().execute(async (transaction) => {
    await work(transaction, await requireEndpoint(transaction, id))
    const action = { act, details: { endpoint: id, ...details } }
    await recordAction(services, transaction, operator, action)
  })
  return await getEndpoint(services, id)
}

/** Locks the endpoint for the transaction. Refuses with `NotFound`. */
export async function requireEndpoint(
  transaction: DatabaseTransaction,
  id: string,
): Promise<LockedEndpoint> {
  const endpoint = isId(id) ? await lockEndpoint(transaction, id) : null
  if (endpoint === null) throw noEndpoint()
  return endpoint
}

/**
 * The part of an address that everybody who reads the log may see: its path and query often hold a
 * secret of the receiver.
 */
function shownOf(url: string | undefined): { host?: string } {
  return url === undefined ? {} : { host: new URL(url).host }
}

function requireUrl({ webhookSender }: Services, url: string): void {
  const fault = webhookSender.faultOf(url)
  if (fault !== null) throw wrongField('url', fault)
}
