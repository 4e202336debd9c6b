import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { connectionsContract } from '#contract/operator/connections.ts'
import { createWebhookDelivery } from '#server/use-cases/connections/deliver-webhooks.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import {
  anEndpoint,
  deliverDue,
  deliveriesOf,
  endpointOf,
} from '#tests/kit/connections/a-webhook.ts'
import {
  answerWith,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** What an operator does while an attempt is under way, which is then answered. */

let app: TestApp
let receiver: WebhookReceiver
beforeEach(async () => {
  app = await startApp()
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await app.close()
  await receiver.close()
})

const actOn = (id: string) => ({ params: { id }, headers: named })

/** Sends what is due; the answers are up to the test. */
async function sendAndHold(count: number) {
  const held: ServerResponse[] = []
  receiver.answer = (response) => void held.push(response)
  const delivery = createWebhookDelivery(app.services)
  await delivery.step()
  await expect.poll(() => held.length).toBe(count)
  return { held, settled: delivery.settled }
}

test('what is sent again goes out at once, also if the attempt before fails after that', async () => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  await aUser(app)
  const { held, settled } = await sendAndHold(1)
  const [sent] = await deliveriesOf(app, endpoint.id)
  await app.client.call(connectionsContract.redeliver, actOn(sent?.id ?? ''), operator)
  held[0]?.writeHead(500).end()
  await settled()
  expect((await deliveriesOf(app, endpoint.id))[0]).toMatchObject({
    state: 'waiting',
    attempts: 0,
    next_attempt_date: null,
  })
  receiver.answer = answerWith(204)
  await deliverDue(app)
  expect((await deliveriesOf(app, endpoint.id))[0]?.state).toBe('delivered')
})

test.each([410, 500])('what a former address answers (%i) counts for nothing', async (status) => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  await aUser(app)
  const { held, settled } = await sendAndHold(1)
  const moved = await startWebhookReceiver()
  const change = { ...actOn(endpoint.id), body: { url: moved.url } }
  await app.client.call(connectionsContract.changeWebhook, change, operator)
  held[0]?.writeHead(status).end()
  await settled()
  expect((await deliveriesOf(app, endpoint.id))[0]).toMatchObject({ state: 'waiting', attempts: 0 })
  await aUser(app)
  await deliverDue(app)
  expect(moved.types()).toEqual(['user.registered', 'user.registered'])
  expect((await endpointOf(app, endpoint.id)).state).toBe('working')
  await moved.close()
})

test('an endpoint that was enabled again stays so, whatever was answered to earlier attempts', async () => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  for (let nth = 0; nth < 2; nth += 1) await aUser(app)
  const { held, settled } = await sendAndHold(2)
  held[0]?.writeHead(410).end()
  await expect.poll(async () => (await endpointOf(app, endpoint.id)).state).toBe('disabled')
  await app.client.call(connectionsContract.enableWebhook, actOn(endpoint.id), operator)
  held[1]?.writeHead(410).end()
  await settled()
  expect((await endpointOf(app, endpoint.id)).state).toBe('working')
  receiver.answer = answerWith(204)
  await deliverDue(app)
  const states = (await deliveriesOf(app, endpoint.id)).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['delivered', 'given_up'])
})

test('an endpoint that is enabled again gets at once what failed before', async () => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  receiver.answer = answerWith(500)
  await aUser(app)
  await deliverDue(app)
  receiver.answer = answerWith(204)
  const enable = () =>
    app.client.call(connectionsContract.enableWebhook, actOn(endpoint.id), operator)
  await enable()
  await deliverDue(app)
  expect((await deliveriesOf(app, endpoint.id))[0], 'enabled already').toMatchObject({
    state: 'waiting',
    attempts: 1,
  })
  await app.client.call(connectionsContract.disableWebhook, actOn(endpoint.id), operator)
  await enable()
  await deliverDue(app)
  expect((await deliveriesOf(app, endpoint.id))[0]).toMatchObject({ state: 'delivered' })
})
