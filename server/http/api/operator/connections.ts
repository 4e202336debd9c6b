import { orNull } from '#contract/codec.ts'
import { connectionsContract } from '#contract/operator/connections.ts'
import { implement } from '#server/http/routing/implement.ts'
import { createKey, endKey, listKeys } from '#server/use-cases/connections/api-keys.ts'
import {
  listDeliveries,
  redeliver,
  testEndpoint,
} from '#server/use-cases/connections/webhook-deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  endEndpoint,
  listEndpoints,
  rotateSecret,
} from '#server/use-cases/connections/webhook-endpoints.ts'
import { presentDelivery, presentEndpoint, presentKey } from './present-connections.ts'

export const connectionsRoutes = implement(connectionsContract, {
  listWebhooks: async (services) => ({
    data: (await listEndpoints(services)).map((row) => presentEndpoint(row, services.clock.now())),
  }),
  createWebhook: async (services, { body }, operator) => {
    const { endpoint, secret } = await createEndpoint(services, body, operator)
    return { endpoint: presentEndpoint(endpoint, services.clock.now()), secret }
  },
  changeWebhook: async (services, { params, body }, operator) => {
    const changed = await changeEndpoint(services, params.id, body, operator)
    return presentEndpoint(changed, services.clock.now())
  },
  enableWebhook: async (services, { params }, operator) =>
    presentEndpoint(await enableEndpoint(services, params.id, operator), services.clock.now()),
  disableWebhook: async (services, { params }, operator) =>
    presentEndpoint(await disableEndpoint(services, params.id, operator), services.clock.now()),
  rotateWebhookSecret: async (services, { params }, operator) => {
    const { endpoint, secret } = await rotateSecret(services, params.id, operator)
    return { endpoint: presentEndpoint(endpoint, services.clock.now()), secret }
  },
  testWebhook: async (services, { params }, operator) =>
    presentDelivery(await testEndpoint(services, params.id, operator)),
  endWebhook: (services, { params }, operator) => endEndpoint(services, params.id, operator),
  listDeliveries: async (services, { params, query }) => {
    const { items, after } = await listDeliveries(services, params.id, query)
    return { data: items.map(presentDelivery), after: orNull(after, String) }
  },
  redeliver: async (services, { params }, operator) =>
    presentDelivery(await redeliver(services, params.id, operator)),
  listKeys: async (services) => ({
    data: (await listKeys(services)).map((key) => presentKey(key, services.clock.now())),
  }),
  createKey: async (services, { body }, operator) => {
    const { key, secret } = await createKey(services, body, operator)
    return { key: presentKey(key, services.clock.now()), secret }
  },
  endKey: async (services, { params }, operator) =>
    presentKey(await endKey(services, params.id, operator), services.clock.now()),
})
