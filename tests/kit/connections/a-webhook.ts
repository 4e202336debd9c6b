import { connectionsContract, type WebhookDelivery } from '#contract/operator/connections.ts'
import type { WebhookEvent } from '#domain/operators/webhook-events.ts'
import { createWebhookDelivery } from '#server/use-cases/connections/deliver-webhooks.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'

/** An endpoint for these events, and its secret. */
export async function anEndpoint({ client }: TestApp, url: string, events: WebhookEvent[]) {
  const input = { headers: named, body: { url, events } }
  const { endpoint, secret } = (
    await client.call(connectionsContract.createWebhook, input, operator)
  ).body
  return { ...endpoint, secret }
}

/** Sends everything that is due, to all endpoints, until nothing is left. */
export async function deliverDue({ services }: Pick<TestApp, 'services'>): Promise<void> {
  const delivery = createWebhookDelivery(services)
  await delivery.step()
  await delivery.settled()
}

export async function deliveriesOf(
  { client }: TestApp,
  id: string,
): Promise<readonly WebhookDelivery[]> {
  const input = { params: { id }, query: { limit: '50' } }
  return (await client.call(connectionsContract.listDeliveries, input, operator)).body.data
}

export async function endpointOf({ client }: TestApp, id: string) {
  const { data } = (await client.call(connectionsContract.listWebhooks, {}, operator)).body
  const found = data.find((each) => each.id === id)
  if (found === undefined) throw new Error('There is no such endpoint.')
  return found
}

export async function testEndpoint({ client }: TestApp, id: string) {
  const input = { params: { id }, headers: named }
  return (await client.call(connectionsContract.testWebhook, input, operator)).body
}
