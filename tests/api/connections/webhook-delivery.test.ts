import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { connectionsContract } from '#contract/operator/connections.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import {
  createWebhookDelivery,
  RETRY_AFTER_MS,
} from '#server/use-cases/connections/deliver-webhooks.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import {
  anEndpoint,
  deliverDue,
  deliveriesOf,
  endpointOf,
  testEndpoint,
} from '#tests/kit/connections/a-webhook.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import {
  answerWith,
  bodyOf,
  startWebhookReceiver,
  verify,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'

const HOUR_MS = 60 * 60_000

let app: TestApp
let receiver: WebhookReceiver
beforeEach(async () => {
  app = await startApp({ webhooks: { withinMs: 2_000 } })
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await app.close()
  await receiver.close()
})

const call = (
  endpoint:
    | typeof connectionsContract.redeliver
    | typeof connectionsContract.enableWebhook
    | typeof connectionsContract.rotateWebhookSecret
    | typeof connectionsContract.disableWebhook,
  id: string,
) => app.client.call(endpoint, { params: { id }, headers: named }, operator)

/** The library allows no more than five minutes between the clocks. */
const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id'])

describe('signatures', () => {
  test('are what Standard Webhooks asks for, and no other secret verifies them', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['purchase.created'])
    const other = await anEndpoint(app, receiver.url, ['purchase.created'])
    await testEndpoint(app, endpoint.id)
    await deliverDue(app)
    const [sent] = receiver.received
    if (sent === undefined) throw new Error('Nothing was sent.')
    expect(verify(endpoint.secret, sent)).toMatchObject({ type: 'webhook.test' })
    expect(sent.headers['webhook-id']).toBe(bodyOf(sent).id)
    expect(sent.headers['webhook-timestamp']).toMatch(/^\d{10}$/)
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(() => verify(other.secret, sent)).toThrow('No matching signature')
    expect(() => verify(endpoint.secret, { ...sent, body: `${sent.body} ` })).toThrow(
      'No matching signature',
    )
  })

  test('are by the old secret too for a day after it was replaced', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['purchase.created'])
    const rotated = await call(connectionsContract.rotateWebhookSecret, endpoint.id)
    const { secret } = rotated.body as { secret: string }
    await testEndpoint(app, endpoint.id)
    await deliverDue(app)
    const [sent] = receiver.received
    if (sent === undefined) throw new Error('Nothing was sent.')
    verify(secret, sent)
    verify(endpoint.secret, sent)
    expect((await endpointOf(app, endpoint.id)).former_secret_until_date).not.toBeNull()

    // A clock that is hours ahead makes a signature that the library takes for one of the future.
    const signaturesAfter = async (hours: number) => {
      await app.passTime(hours * HOUR_MS)
      await testEndpoint(app, endpoint.id)
      await deliverDue(app)
      return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')
    }
    expect(await signaturesAfter(23)).toHaveLength(2)
    expect(await signaturesAfter(2)).toHaveLength(1)
    expect((await endpointOf(app, endpoint.id)).former_secret_until_date).toBeNull()
  })

  test('are by the last two secrets alone, however soon there was another', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['purchase.created'])
    const secrets = [endpoint.secret]
    for (let made = 0; made < 2; made += 1) {
      const rotated = await call(connectionsContract.rotateWebhookSecret, endpoint.id)
      secrets.push((rotated.body as { secret: string }).secret)
    }
    await testEndpoint(app, endpoint.id)
    await deliverDue(app)
    const [sent] = receiver.received
    if (sent === undefined) throw new Error('Nothing was sent.')
    for (const secret of secrets.slice(1)) verify(secret, sent)
    expect(() => verify(endpoint.secret, sent)).toThrow('No matching signature')
  })
})

describe('an event that does not arrive', () => {
  test('is tried again ever more slowly for three days, and then given up', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    receiver.answer = answerWith(500)
    await aUser(app)
    await deliverDue(app)
    expect(receiver.received).toHaveLength(1)
    let passedMs = 0
    for (const [nth, waitMs] of RETRY_AFTER_MS.entries()) {
      await app.passTime(waitMs - 2_000)
      await deliverDue(app)
      expect(receiver.received, 'not before its time').toHaveLength(nth + 1)
      await app.passTime(2_000)
      await deliverDue(app)
      expect(receiver.received).toHaveLength(nth + 2)
      passedMs += waitMs
    }
    expect(passedMs / HOUR_MS).toBeGreaterThan(71)
    expect(passedMs / HOUR_MS).toBeLessThanOrEqual(72)
    const [given] = await deliveriesOf(app, endpoint.id)
    expect(given).toMatchObject({ state: 'given_up', attempts: 10, last_status: 500 })
    expect(given?.last_fault).toBe('Answered with status 500')
    expect((await endpointOf(app, endpoint.id)).state).toBe('failing')
    expect(new Set(idsOf()).size, 'each time with the same id').toBe(1)

    receiver.answer = answerWith(200)
    await call(connectionsContract.redeliver, given?.id ?? '')
    await deliverDue(app)
    expect(new Set(idsOf()).size).toBe(1)
    expect((await endpointOf(app, endpoint.id)).state).toBe('working')
    expect((await deliveriesOf(app, endpoint.id))[0]).toMatchObject({ state: 'delivered' })
    app.complaints.length = 0
  })

  test('keeps the others from a receiver that fails, until the next step', async () => {
    await anEndpoint(app, receiver.url, ['user.registered'])
    for (let nth = 0; nth < 6; nth += 1) await aUser(app)
    receiver.answer = answerWith(500)
    await deliverDue(app)
    // As many as are sent at a time.
    expect(receiver.received).toHaveLength(4)
  })

  test('leaves the endpoint failing since the first event that was given up', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    receiver.answer = answerWith(500)
    const failingSince = async () => {
      await aUser(app)
      await deliverDue(app)
      for (const waitMs of RETRY_AFTER_MS) {
        await app.passTime(waitMs)
        await deliverDue(app)
      }
      const { state, state_date: since } = await endpointOf(app, endpoint.id)
      expect(state).toBe('failing')
      return since
    }
    const since = await failingSince()
    expect(await failingSince()).toBe(since)
    app.complaints.length = 0
  })

  test('because its receiver is slow, is given time no longer than agreed', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    receiver.answer = () => {}
    await aUser(app)
    await deliverDue(app)
    const [waiting] = await deliveriesOf(app, endpoint.id)
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, last_status: null })
    expect(waiting?.last_fault).toBe('Did not answer within 2 s')
  })

  test('because its receiver is gone, disables the endpoint, and an act of the server says so', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    // As many events as are sent at a time, which all get that answer.
    const sentAtOnce = 4
    const answers: (() => void)[] = []
    receiver.answer = (response) => {
      answers.push(() => response.writeHead(410).end())
      if (answers.length === sentAtOnce) for (const answer of answers) answer()
    }
    for (let nth = 0; nth < sentAtOnce; nth += 1) await aUser(app)
    await deliverDue(app)
    expect(await endpointOf(app, endpoint.id)).toMatchObject({
      state: 'disabled',
      disabled_by: 'receiver',
    })
    const { data } = (await app.client.call(operatorContract.listActions, { query: {} }, operator))
      .body
    const disabled = data.filter(({ act }) => act === 'disableWebhook')
    expect(disabled).toMatchObject([{ operator: null }])

    await aUser(app)
    await deliverDue(app)
    expect(receiver.received, 'nothing is sent to it any more').toHaveLength(sentAtOnce)
    const refused = await call(connectionsContract.redeliver, '1')
    expect(refused.refusal.reason).toBe('WebhookDisabled')

    receiver.answer = answerWith(204)
    await call(connectionsContract.enableWebhook, endpoint.id)
    await aUser(app)
    await deliverDue(app)
    expect(receiver.received).toHaveLength(sentAtOnce + 1)
  })

  test('follows no redirect, wherever that leads', async () => {
    const other = await startWebhookReceiver()
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    for (const location of [other.url, 'http://169.254.169.254/latest/meta-data/']) {
      receiver.answer = answerWith(307, { location })
      await aUser(app)
      await deliverDue(app)
    }
    expect(other.received).toEqual([])
    const [delivery] = await deliveriesOf(app, endpoint.id)
    expect(delivery).toMatchObject({ state: 'waiting', last_status: 307 })
    expect(delivery?.last_fault).toContain('redirect')
    await other.close()
  })

  test('does not keep the server from closing, and is sent again', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    const begun = new Promise<void>((resolve) => {
      receiver.answer = () => resolve()
    })
    await aUser(app)
    const delivery = createWebhookDelivery(app.services)
    await delivery.step()
    await begun
    await delivery.stop()
    expect((await deliveriesOf(app, endpoint.id))[0]).toMatchObject({
      state: 'waiting',
      attempts: 0,
    })
    receiver.answer = answerWith(204)
    await deliverDue(app)
    expect((await deliveriesOf(app, endpoint.id))[0]?.state).toBe('delivered')
  })

  test('is tried for three days also if it was sent again as the server closed', async () => {
    const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
    const begun = new Promise<void>((resolve) => {
      receiver.answer = () => resolve()
    })
    await aUser(app)
    const delivery = createWebhookDelivery(app.services)
    await delivery.step()
    await begun
    const [sent] = await deliveriesOf(app, endpoint.id)
    await call(connectionsContract.redeliver, sent?.id ?? '')
    await delivery.stop()
    receiver.answer = answerWith(500)
    await deliverDue(app)
    const [failed] = await deliveriesOf(app, endpoint.id)
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1, last_status: 500 })
  })
})

test('an answer without an end is left after a moment, and counts by its status', async () => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  receiver.answer = (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, 97)));
    }
    response.on('drain', more)
    more()
  }
  await aUser(app)
  await deliverDue(app)
  expect((await deliveriesOf(app, endpoint.id))[0]?.state).toBe('delivered')
})

test('what an ended endpoint did not get is kept no longer than other events', async () => {
  const endpoint = await anEndpoint(app, receiver.url, ['user.registered'])
  receiver.answer = answerWith(500)
  await aUser(app)
  await deliverDue(app)
  const input = { params: { id: endpoint.id }, headers: named }
  const countEvents = async () =>
    (await app.open.database.selectFrom('webhook_events').select('id').execute()).length
  await app.passTime(31 * 24 * HOUR_MS)
  await deleteExpiredRecords(app.services)
  expect(await countEvents(), 'it is still to be sent').toBe(1)
  await app.client.call(connectionsContract.endWebhook, input, operator)
  await deleteExpiredRecords(app.services)
  expect(await countEvents()).toBe(0)
})

describe('order', () => {
  test('is kept for one purchase, and a purchase that fails holds no other back', async () => {
    await anEndpoint(app, receiver.url, ['purchase.created', 'purchase.failed'])
    const buyer = await aUser(app)
    const stuck = await aPurchase(app, buyer)
    const fail = { params: { id: stuck.id }, headers: named, body: { reason: 'A test' } }
    await app.client.call(operatorContract.failPurchase, fail, operator)
    const other = await aPurchase(app, buyer)
    receiver.answer = (response, { body }) =>
      answerWith(body.includes(stuck.id) ? 500 : 204)(response, { body, headers: {}, path: '' })
    await deliverDue(app)
    await deliverDue(app)
    const sent = receiver.received.map(bodyOf).map(({ type, data }) => [type, data['purchase_id']])
    expect(sent).toHaveLength(2)
    expect(sent).toContainEqual(['purchase.created', stuck.id])
    expect(sent).toContainEqual(['purchase.created', other.id])

    receiver.answer = answerWith(204)
    await app.passTime(6_000)
    await deliverDue(app)
    const later = receiver.received.slice(2).map(bodyOf)
    expect(later.map(({ type }) => type)).toEqual(['purchase.created', 'purchase.failed'])
  })

  test('is kept until an event has failed four times, while the fourth is under way too', async () => {
    await anEndpoint(app, receiver.url, ['purchase.created', 'purchase.failed'])
    const stuck = await aPurchase(app, await aUser(app))
    const fail = { params: { id: stuck.id }, headers: named, body: { reason: 'A test' } }
    await app.client.call(operatorContract.failPurchase, fail, operator)
    receiver.answer = (response, sent) =>
      answerWith(bodyOf(sent).type === 'purchase.created' ? 500 : 204)(response, sent)
    for (const waitMs of [0, ...RETRY_AFTER_MS.slice(0, 3)]) {
      await app.passTime(waitMs)
      await deliverDue(app)
    }
    expect(receiver.types()).toEqual(Array.from({ length: 4 }, () => 'purchase.created'))
    await deliverDue(app)
    expect(receiver.types().slice(4)).toEqual(['purchase.failed'])
  })

  test('of one endpoint does not depend on another, which does not answer', async () => {
    const slow = await startWebhookReceiver()
    const isHeld = new Promise<void>((resolve) => {
      slow.answer = () => resolve()
    })
    const bad = await anEndpoint(app, slow.url, ['user.registered'])
    const good = await anEndpoint(app, receiver.url, ['user.registered'])
    await aUser(app)
    const delivery = createWebhookDelivery(app.services)
    await delivery.step()
    await isHeld
    await expect.poll(async () => (await deliveriesOf(app, good.id))[0]?.state).toBe('delivered')
    await aUser(app)
    await delivery.step()
    await expect.poll(() => receiver.received.length).toBe(2)
    await delivery.settled()
    expect((await deliveriesOf(app, bad.id)).every(({ state }) => state === 'waiting')).toBe(true)
    await slow.close()
  })
})
