import { Refusal } from '#domain/refusal.ts'
import { TEST_EVENT } from '#domain/operators/webhook-events.ts'
import {
  type DeliveryRow,
  findDeliveryRow,
  insertTestDelivery,
  listDeliveryRows,
  requeueDelivery,
} from '#server/database/connections/webhook-deliveries.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { webhookBody } from './webhook-body.ts'
import { getEndpoint, requireEndpoint } from './webhook-endpoints.ts'

export type Delivery = DeliveryRow & { payload: string }

const withPayload = (row: DeliveryRow): Delivery => ({
  ...row,
  payload: webhookBody({ ...row, messageId: row.message_id }),
})

/** What has been and is being sent to an endpoint, newest first. Refuses with `NotFound`. */
export async function listDeliveries(
  services: Services,
  endpointId: string,
  page: { state: DeliveryRow['state'] | null; after: bigint | null; limit: number },
) {
  await getEndpoint(services, endpointId)
  const { state, after: startId, limit } = page
  const wanted = { state, startId, countMax: limit + 1 }
  const rows = await listDeliveryRows(services.database, endpointId, wanted)
  const items = rows.slice(0, limit).map(withPayload)
  return { items, after: rows[limit]?.id ?? null }
}

/** Sends a test event. Refuses with `NotFound` and `WebhookDisabled`. */
export async function testEndpoint(services: Services, endpointId: string, operator: Operator) {
  await services.limits.take('webhook_by_hand', endpointId)
  const at = services.clock.now()
  const id = await services.database.transaction().execute(async (transaction) => {
    await requireEnabled(transaction, endpointId)
    const details = { endpoint: endpointId }
    await recordAction(services, transaction, operator, { act: 'testWebhook', details })
    return await insertTestDelivery(transaction, endpointId, { type: TEST_EVENT, at })
  })
  return await getDelivery(services, id)
}

/** Sends an event again, with its original id. Refuses with `NotFound` and `WebhookDisabled`. */
export async function redeliver(services: Services, idText: string, operator: Operator) {
  const id = /^\d{1,18}$/.test(idText) ? BigInt(idText) : -1n
  const { endpoint_id: endpointId } = await getDelivery(services, id)
  await services.limits.take('webhook_by_hand', endpointId)
  await services.database.transaction().execute(async (transaction) => {
    await requireEnabled(transaction, endpointId)
    await requeueDelivery(transaction, id)
    const details = { endpoint: endpointId, delivery: String(id) }
    await recordAction(services, transaction, operator, { act: 'redeliver', details })
  })
  return await getDelivery(services, id)
}

async function requireEnabled(transaction: DatabaseTransaction, id: string): Promise<void> {
  await requireEndpoint(transaction, id)
  const { disabled_at: disabledAt } = await getEndpoint({ database: transaction }, id)
  if (disabledAt !== null) throw new Refusal('WebhookDisabled')
}

async function getDelivery({ database }: Services, id: bigint): Promise<Delivery> {
  const row = await findDeliveryRow(database, id)
  if (row !== null) return withPayload(row)
  throw new Refusal('NotFound', { message: 'There is no delivery with this id' })
}
