import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { createStageWatch } from '#server/use-cases/sale/watch-stage-changes.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { webhookEvents } from '#domain/operators/webhook-events.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  reject,
  send,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import {
  aPurchase,
  buyAndPay,
  mine,
  pay,
  quickSale,
  reorganise,
  settleAgain,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { anEndpoint, deliverDue } from '#tests/kit/connections/a-webhook.ts'
import { anOwedPurchase, named, operator, payRefund } from '#tests/kit/builders/an-operator.ts'
import { smallStages } from '#tests/kit/builders/small-stages.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import {
  bodyOf,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#tests/kit/connections/webhook-receiver.ts'

let app: TestApp
let receiver: WebhookReceiver
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await app.close()
  await receiver.close()
})

const everyEvent = [...webhookEvents]
const sent = () => receiver.received.map(bodyOf).map(({ type, data }) => ({ type, data }))

test('somebody registers, buys and pays: each step is sent in its order, with ids alone', async () => {
  await anEndpoint(app, receiver.url, everyEvent)
  const buyer = await aUser(app)
  const purchase = await aPurchase(app, buyer)
  await pay(app, purchase)
  await mine(app)
  await mine(app)
  await deliverDue(app)
  const about = { purchase_id: purchase.id }
  expect(sent().filter(({ data }) => 'user_id' in data)).toEqual([
    { type: 'user.registered', data: { user_id: buyer.user.id, status: 'registered' } },
  ])
  expect(sent().filter(({ data }) => 'purchase_id' in data)).toEqual([
    { type: 'purchase.created', data: { ...about, status: 'pending' } },
    { type: 'purchase.processing', data: { ...about, status: 'processing' } },
    { type: 'purchase.completed', data: { ...about, status: 'completed' } },
  ])
  const [first] = receiver.received.map(bodyOf)
  expect(Object.keys(first ?? {})).toEqual(['type', 'id', 'timestamp', 'data'])
  expect(JSON.stringify(sent())).not.toContain(buyer.email)
})

test('a payment that the chain takes back makes no new purchase', async () => {
  await anEndpoint(app, receiver.url, ['purchase.created', 'purchase.pending'])
  const purchase = await aPurchase(app, await aUser(app))
  await pay(app, purchase)
  await mine(app)
  await reorganise(app, 1)
  await deliverDue(app)
  expect(receiver.types().filter((type) => type === 'purchase.created')).toHaveLength(1)
})

test('a refund is owed once, however often its purchase is settled, and paid', async () => {
  await anEndpoint(app, receiver.url, ['refund.owed', 'refund.paid', 'purchase.failed'])
  const { purchase, receiptId } = await anOwedPurchase(app, await aUser(app))
  await settleAgain(app, purchase)
  await payRefund(app, receiptId, `0x${'ab'.repeat(32)}`)
  await deliverDue(app)
  const about = { receipt_id: receiptId, purchase_id: purchase.id }
  expect(sent().filter(({ type }) => type.startsWith('refund.'))).toEqual([
    { type: 'refund.owed', data: { ...about, status: 'open' } },
    { type: 'refund.paid', data: { ...about, status: 'paid' } },
  ])
})

test('a claim is made, approved and confirmed, once each', async () => {
  await anEndpoint(app, receiver.url, [
    'refund_claim.claimed',
    'refund_claim.approved',
    'refund_claim.confirmed',
  ])
  const buyer = await aUser(app)
  await anOwedPurchase(app, buyer)
  const { id, pays } = await anApprovedClaim(app, buyer)
  await cancelBatch(app, await aBatch(app))
  await aBatch(app)
  await send(app, WALLET, pays)
  await mine(app, 2)
  await followPayouts(app.services)
  await deliverDue(app)
  expect(sent()).toEqual([
    { type: 'refund_claim.claimed', data: { claim_id: id, status: 'claimed' } },
    { type: 'refund_claim.approved', data: { claim_id: id, status: 'approved' } },
    { type: 'refund_claim.confirmed', data: { claim_id: id, status: 'confirmed' } },
  ])
})

test('what a rejected claim leaves is owed again from then on, however long it was owed', async () => {
  await anEndpoint(app, receiver.url, ['refund.owed'])
  const buyer = await aUser(app)
  const { purchase } = await anOwedPurchase(app, buyer)
  const claim = await anApprovedClaim(app, buyer)
  await sql`update refund_claim_parts set owed_since = now() - interval '1 year'`.execute(
    app.open.database,
  )
  const before = Date.now()
  await reject(app, claim)
  await deliverDue(app)
  const events = receiver.received.map(bodyOf)
  expect(events.map(({ data }) => data['purchase_id'])).toEqual([purchase.id, purchase.id])
  expect(Date.parse(events[1]?.timestamp ?? '')).toBeGreaterThanOrEqual(before)
})

test('another amount that is owed is sent again, and the same one is not', async () => {
  await anEndpoint(app, receiver.url, ['refund.owed'])
  const { purchase } = await anOwedPurchase(app, await aUser(app))
  await sql`update refunds_due set amount = amount, why = why`.execute(app.open.database)
  await sql`update refunds_due set amount = amount - 1`.execute(app.open.database)
  await deliverDue(app)
  expect(sent().map(({ data }) => data['purchase_id'])).toEqual([purchase.id, purchase.id])
})

test('the sale is paused and resumed; a pause that changes nothing is none', async () => {
  await anEndpoint(app, receiver.url, ['sale.paused', 'sale.resumed'])
  const pause = { body: { reason: 'A test' }, headers: named }
  await app.client.call(operatorContract.pauseSale, pause, operator)
  await app.client.call(operatorContract.pauseSale, pause, operator)
  await app.client.call(operatorContract.resumeSale, { body: {} }, operator)
  await deliverDue(app)
  expect(sent()).toEqual([
    { type: 'sale.paused', data: { status: 'paused' } },
    { type: 'sale.resumed', data: { status: 'resumed' } },
  ])
})

test('a stage opens once, at whichever instance that is seen', async () => {
  await anEndpoint(app, receiver.url, ['stage.opened'])
  const watches = [createStageWatch(), createStageWatch()]
  for (const watch of watches) await watch(app.services)
  for (const watch of watches) await watch(app.services)
  await deliverDue(app)
  expect(receiver.types()).toEqual(['stage.opened'])
})

test('a stage that takes the place of a removed one opens too', async () => {
  const ago = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
  const both = smallStages({ startsAt: ago(3), endsAt: ago(2) }, { startsAt: ago(1) })
  const onlyFirst = (sale: Sale) => {
    const small = both(sale)
    return { ...small, stages: small.stages.slice(0, 1) }
  }
  await anEndpoint(app, receiver.url, ['stage.opened'])
  const watch = createStageWatch()
  for (const changeSale of [both, onlyFirst, both]) {
    const instance = await startApp({ open: app.open, changeSale })
    await watch(instance.services)
    await instance.close()
  }
  await deliverDue(app)
  expect(sent()).toEqual([
    { type: 'stage.opened', data: { stage_id: 'stage-2', status: 'opened' } },
    { type: 'stage.opened', data: { stage_id: 'stage-2', status: 'opened' } },
  ])
})

test('a stage that is sold out says so', async () => {
  await app.close()
  app = await startApp({ changeSale: smallStages({}, {}) })
  await anEndpoint(app, receiver.url, ['stage.sold_out'])
  const [stage] = app.services.sale.stages
  await sql`update stage_counters set sold = supply, reserved = 0, sold_out_at = now()
    where stage_id = ${stage?.id ?? ''}`.execute(app.open.database)
  await deliverDue(app)
  expect(sent()).toEqual([
    { type: 'stage.sold_out', data: { stage_id: stage?.id, status: 'sold_out' } },
  ])
})

test('what an endpoint does not want, and what happens without one, is not even written', async () => {
  await buyAndPay(app, await aUser(app))
  await anEndpoint(app, receiver.url, ['purchase.completed'])
  await aPurchase(app, await aUser(app))
  const events = await app.open.database.selectFrom('webhook_events').select('type').execute()
  expect(events).toEqual([])
})

test('an event exists if and only if its transaction has committed', async () => {
  await anEndpoint(app, receiver.url, ['user.registered'])
  const register = (id: string, isUndone: boolean) =>
    app.open.database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('users')
        .values({
          id,
          email: `${id}@example.com`,
          password_hash: 'none',
          first_name: 'Ada',
          last_name: 'Lovelace',
          nationality: 'GB',
          mobile: null,
          language: 'en',
          is_email_verified: true,
          referrer_id: null,
          created_at: app.clock.now(),
        })
        .execute()
      if (isUndone) throw new Error('Undone')
    })
  const [undone, done] = [randomUUID(), randomUUID()]
  await expect(register(undone, true)).rejects.toThrow('Undone')
  await register(done, false)
  await deliverDue(app)
  expect(sent().map(({ data }) => data['user_id'])).toEqual([done])
})
