import { afterEach, beforeEach, expect, test } from 'vitest'

import { claimDelivery } from '#server/database/connections/webhook-deliveries.ts'
import { createWebhookDelivery } from '#server/use-cases/connections/deliver-webhooks.ts'
import { anEndpoint, deliverDue, deliveriesOf } from '#tests/kit/connections/a-webhook.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'

const EVENTS = 20

let app: TestApp
let other: TestApp
let receiver: WebhookReceiver
beforeEach(async () => {
  app = await startApp()
  other = await startApp({ open: app.open })
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await other.close()
  await app.close()
  await receiver.close()
})

const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])

test('two instances send each event once', async () => {
  const { id } = await anEndpoint(app, receiver.url, ['user.registered'])
  for (let made = 0; made < EVENTS; made += 1) await aUser(app)
  const deliveries = [app, other].map(({ services }) => createWebhookDelivery(services))
  await Promise.all(deliveries.map((each) => each.step()))
  await Promise.all(deliveries.map((each) => each.settled()))
  expect(ids()).toHaveLength(EVENTS)
  expect(new Set(ids()).size).toBe(EVENTS)
  expect((await deliveriesOf(app, id)).every(({ state }) => state === 'delivered')).toBe(true)
})

test('what an instance had taken when it died is sent by another, after half a minute', async () => {
  const { id } = await anEndpoint(app, receiver.url, ['user.registered'])
  await aUser(app)
  const now = app.clock.now()
  const claim = { owner: app.services.random.id(), until: new Date(now.getTime() + 30_000) }
  expect(await claimDelivery(app.open.database, id, claim, now)).not.toBeNull()
  await deliverDue(other)
  expect(ids()).toEqual([])
  other.clock.pass(31_000)
  await deliverDue(other)
  expect(ids()).toHaveLength(1)
})
