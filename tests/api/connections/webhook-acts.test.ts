import { afterAll, beforeAll, expect, test } from 'vitest'

import { connectionsContract } from '#contract/operator/connections.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import {
  anEndpoint,
  deliverDue,
  endpointOf,
  testEndpoint,
} from '#tests/kit/connections/a-webhook.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'

let app: TestApp
let receiver: WebhookReceiver
beforeAll(async () => {
  app = await startApp()
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

test('each act is recorded, and no secret is stored or recorded as it is', async () => {
  const url = `${receiver.url}?token=of-the-receiver`
  const endpoint = await anEndpoint(app, url, ['sale.paused', 'sale.paused'])
  expect(endpoint.events).toEqual(['sale.paused'])
  const input = { params: { id: endpoint.id }, headers: named }
  const changed = await app.client.call(
    connectionsContract.changeWebhook,
    { ...input, body: { url, description: 'Our books', events: ['sale.resumed'] } },
    operator,
  )
  expect(changed.body).toMatchObject({ description: 'Our books', url })
  await app.client.call(connectionsContract.disableWebhook, input, operator)
  expect(await endpointOf(app, endpoint.id)).toMatchObject({ state: 'disabled' })
  const tested = await app.client.call(connectionsContract.testWebhook, input, operator)
  expect(tested.refusal).toMatchObject({ code: 409, reason: 'WebhookDisabled' })
  await app.client.call(connectionsContract.enableWebhook, input, operator)
  const { secret } = (
    await app.client.call(connectionsContract.rotateWebhookSecret, input, operator)
  ).body
  await testEndpoint(app, endpoint.id)
  await app.client.call(connectionsContract.endWebhook, input, operator)
  await deliverDue(app)
  expect(receiver.received, 'what was on its way is not sent').toEqual([])
  const gone = await app.client.call(connectionsContract.rotateWebhookSecret, input, operator)
  expect(gone.refusal.reason).toBe('NotFound')

  const stored = await everythingStored(app.open.database)
  for (const each of [secret, endpoint.secret]) {
    expect(stored).not.toContain(each)
    expect(stored).not.toContain(each.slice('whsec_'.length))
  }
  const { data } = (await app.client.call(operatorContract.listActions, { query: {} }, operator))
    .body
  expect(data.map(({ act }) => act)).toEqual([
    'endWebhook',
    'testWebhook',
    'rotateWebhookSecret',
    'enableWebhook',
    'disableWebhook',
    'changeWebhook',
    'createWebhook',
  ])
  expect(data.every(({ details }) => details['endpoint'] === endpoint.id)).toBe(true)
  expect(JSON.stringify(data), 'a viewer reads the log').not.toContain('of-the-receiver')
  expect(data.at(-1)?.details['host']).toBe(new URL(url).host)
})

test('only owners connect other software', async () => {
  for (const role of ['viewer', 'support', 'finance'] as const) {
    const { as } = await anOperatorPerson(app, role)
    const { refusal } = await app.client.call(connectionsContract.listWebhooks, {}, as)
    expect(refusal.reason, role).toBe('PermissionMissing')
  }
  const { as } = await anOperatorPerson(app, 'owner')
  expect((await app.client.call(connectionsContract.listWebhooks, {}, as)).status).toBe(200)
})

test('an unknown name is not found, whatever it is', async () => {
  for (const id of ['x', '6f1c24f1-8b1f-4a9e-9c36-0d2a7a2f9f10', '999', '../1']) {
    const input = { params: { id }, headers: named }
    for (const endpoint of [
      connectionsContract.testWebhook,
      connectionsContract.redeliver,
      connectionsContract.endKey,
      connectionsContract.endWebhook,
    ]) {
      const { refusal } = await app.client.callWith(endpoint, input, operator)
      expect(refusal.reason, `${endpoint.path} ${id}`).toBe('NotFound')
    }
  }
})

test('there are no more endpoints than the database can write for', async () => {
  const { data } = (await app.client.call(connectionsContract.listWebhooks, {}, operator)).body
  for (let made = data.length; made < 20; made += 1) {
    await anEndpoint(app, receiver.url, ['sale.paused'])
  }
  const more = await app.client.call(
    connectionsContract.createWebhook,
    { headers: named, body: { url: receiver.url, events: ['sale.paused'] } },
    operator,
  )
  expect(more.refusal).toMatchObject({ code: 409, reason: 'ConnectionLimitReached' })
})
