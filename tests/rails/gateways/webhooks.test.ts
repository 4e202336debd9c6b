import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { manyUsers } from '#tests/kit/builders/many-users.ts'
import { signDelivery, startBtcpay, type BtcpayServer } from '#tests/kit/servers/btcpay-server.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import {
  IPN_SECRET,
  type NowpaymentsServer,
  signIpn,
  startNowpayments,
  writePayment,
} from '#tests/kit/servers/nowpayments-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

let nowpayments: NowpaymentsServer
let btcpay: BtcpayServer
let app: TestApp
let buyer: RegisteredUser
let purchase: Transaction

beforeAll(async () => {
  nowpayments = await startNowpayments()
  btcpay = await startBtcpay()
  app = await startGatewayApp(
    [
      atGateway('nowpayments', 'btc'),
      atGateway('btcpay', 'BTC-CHAIN', { id: 'btc-own', name: 'Bitcoin by BTCPay' }),
    ],
    { nowpayments: nowpayments.url, btcpay: btcpay.url },
  )
  buyer = await aUser(app)
})
beforeEach(async () => {
  buyer = await aUser(app)
  purchase = await aPurchase(app, buyer, { token: 'btc' })
})
afterAll(async () => {
  await expectInvariants(app)
  await app.close()
  await nowpayments.stop()
  await btcpay.stop()
})

async function send(gateway: string, body: string, headers: Record<string, string>) {
  return await app.app.inject({
    method: 'POST',
    url: `/api/v1/webhooks/${gateway}`,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress: anAddress(),
  })
}
const sendIpn = (body: string, signature = signIpn(body)) =>
  send('nowpayments', body, { 'x-nowpayments-sig': signature })

const ipnOf = ({ id }: Transaction) =>
  writePayment(nowpayments.paymentOf(id), nowpayments.payments, false)

async function events(): Promise<number> {
  return (await app.open.database.selectFrom('gateway_events').select('event_id').execute()).length
}

describe('a webhook of NOWPayments', () => {
  it('is taken with its nested fee and a list of further payments, and believed in nothing', async () => {
    const payment = nowpayments.paymentOf(purchase.id)
    nowpayments.addDeposit(payment, { status: 'waiting', actuallyPaid: '0' })
    const claimed = { ...payment, status: 'finished', actuallyPaid: '7' }
    const body = writePayment(claimed, nowpayments.payments, false)
    expect((await sendIpn(body)).json()).toMatchObject({ outcome: 'accepted' })
    await watchChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'pending', receipts: [] })
  })

  it('may be signed over lists as they are, with numbers as they were written', async () => {
    const body = '{"payment_id":1,"payment_extra_ids":[2,3],"fee":{"b":1e-8,"a":0.10}}'
    const signed = '{"fee":{"a":0.10,"b":1e-8},"payment_extra_ids":[2,3],"payment_id":1}'
    const signature = createHmac('sha512', IPN_SECRET).update(signed).digest('hex')
    expect((await sendIpn(body, signature)).json()).toMatchObject({ outcome: 'unknown' })
    app.complaints.splice(0)
  })

  it('has its payment checked ahead of schedule', async () => {
    await watchChains(app.services)
    const { database } = app.open
    const later = new Date(app.clock.now().getTime() + 3_600_000)
    await database.updateTable('gateway_payments').set({ ask_next_at: later }).execute()
    const payment = nowpayments.paymentOf(purchase.id)
    Object.assign(payment, { status: 'finished', actuallyPaid: purchase.payment_amount })
    await watchChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'pending' })
    await sendIpn(ipnOf(purchase))
    await watchChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('has its payment checked before those that nobody has asked about yet', async () => {
    const others = await manyUsers(app.open.database, 25)
    for (const other of others) await aPurchase(app, other, { token: 'btc', from: anAddress() })
    const last = await aPurchase(app, buyer, { token: 'btc' })
    Object.assign(nowpayments.paymentOf(last.id), {
      status: 'finished',
      actuallyPaid: last.payment_amount,
    })
    await sendIpn(ipnOf(last))
    await watchChains(app.services)
    expect(await lookAt(app, buyer, last)).toMatchObject({ status: 'completed' })
  })

  it('reports a further deposit by itself, which is then checked', async () => {
    const payment = nowpayments.paymentOf(purchase.id)
    const deposit = nowpayments.addDeposit(payment, { actuallyPaid: purchase.payment_amount ?? '' })
    await sendIpn(writePayment(deposit, nowpayments.payments, false))
    await watchChains(app.services)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
  })

  it('is refused where a byte of it or its signature is another, and stored nowhere', async () => {
    const body = ipnOf(purchase)
    const before = await events()
    const forged = [
      await sendIpn(body.replace('"waiting"', '"finished"'), signIpn(body)),
      await sendIpn(body, signIpn(body, 'another secret')),
      await sendIpn(body, 'nonsense'),
      await sendIpn(body.slice(0, -1), signIpn(body)),
      await sendIpn('['.repeat(30_000) + ']'.repeat(30_000), '0'.repeat(128)),
      await send('nowpayments', body, {}),
      await send('nowpayments', body, { 'btcpay-sig': signDelivery(body) }),
    ]
    expect(forged.map(({ statusCode }) => statusCode)).toEqual(forged.map(() => 401))
    expect(forged[0]?.json()).toMatchObject({ message: 'The signature is missing or wrong' })
    expect(await events()).toBe(before)
    app.complaints.splice(0)
  })

  it('does nothing when it is replayed', async () => {
    const body = ipnOf(purchase)
    await sendIpn(body)
    const before = await events()
    const replayed = await Promise.all(Array.from({ length: 50 }, () => sendIpn(body)))
    expect(new Set(replayed.map((reply) => reply.json().outcome))).toEqual(new Set(['repeated']))
    expect(await events()).toBe(before)
  })

  it('does nothing when it is replayed in another writing of the same content', async () => {
    const body = ipnOf(purchase)
    const signature = signIpn(body)
    await sendIpn(body, signature)
    const before = await events()
    const others = [
      `${body} `,
      body.replaceAll(',', ' ,'),
      body.replace('"withdrawalFee":0', '"withdrawalFee":0.0'),
      body.replace('"payment_extra_ids":null,', '').replace('{', '{"payment_extra_ids":null,'),
    ]
    for (const other of others) {
      expect((await sendIpn(other, signature)).json()).toMatchObject({ outcome: 'repeated' })
    }
    expect((await sendIpn(body, signature.toUpperCase())).json().outcome).toBe('repeated')
    expect(await events()).toBe(before)
  })

  it('of an unknown payment gets an answer that says so, and changes nothing', async () => {
    const body = JSON.stringify({
      payment_id: 404,
      order_id: 'nothing',
      payment_status: 'finished',
    })
    const reply = await sendIpn(body)
    expect({ status: reply.statusCode, ...reply.json() }).toEqual({
      status: 200,
      outcome: 'unknown',
      message: 'No purchase has this payment. The call is ignored',
    })
    app.complaints.splice(0)
  })
})

describe('a webhook of BTCPay Server', () => {
  it('is known by its bytes and its first delivery', async () => {
    const own = await aPurchase(app, buyer, { token: 'btc-own' })
    const { id } = btcpay.invoiceOf(own.id)
    const body = (deliveryId: string) =>
      `{"deliveryId":"${deliveryId}", "originalDeliveryId":"one-${id}","invoiceId":"${id}"}`
    const deliver = (text: string) => send('btcpay', text, { 'btcpay-sig': signDelivery(text) })
    expect((await deliver(body('a'))).json()).toMatchObject({ outcome: 'accepted' })
    expect((await deliver(body('b'))).json()).toMatchObject({ outcome: 'repeated' })
    const forged = await send('btcpay', body('a'), { 'btcpay-sig': signDelivery(body('b')) })
    expect(forged.statusCode).toBe(401)
    const empty = await deliver('{}')
    expect(empty.statusCode).toBe(400)
    app.complaints.splice(0)
  })

  it.each(['deliveryId', 'invoiceId', 'orderId'])(
    'that is signed and has a NUL in its %s is refused, as no database keeps one',
    async (field) => {
      const ids = { deliveryId: 'a', invoiceId: 'b', orderId: 'c', [field]: 'x\u0000y' }
      const { orderId, ...rest } = ids
      const text = JSON.stringify({ ...rest, metadata: { orderId } })
      const reply = await send('btcpay', text, { 'btcpay-sig': signDelivery(text) })
      expect({ status: reply.statusCode, ...reply.json() }).toMatchObject({
        status: 400,
        message: 'This call names no payment',
      })
    },
  )
})

describe('the place for webhooks', () => {
  it('is not there for a gateway that the sale does not use', async () => {
    expect((await send('sandbox', '{}', {})).statusCode).toBe(404)
    expect((await send('anything', '{}', {})).statusCode).toBe(404)
  })

  it('takes no more than 64 KiB', async () => {
    expect((await send('nowpayments', 'x'.repeat(70_000), {})).statusCode).toBe(413)
  })

  it('hears an address no more that forges without end, and any other still', async () => {
    const remoteAddress = anAddress()
    const url = '/api/v1/webhooks/nowpayments'
    const statuses = new Set<number>()
    for (let count = 0; count < 62; count += 1) {
      const reply = await app.app.inject({ method: 'POST', url, payload: '{}', remoteAddress })
      statuses.add(reply.statusCode)
    }
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await sendIpn(ipnOf(purchase))).statusCode).toBe(200)
    app.complaints.splice(0)
  })

  it('counts all addresses of one IPv6 connection together', async () => {
    const url = '/api/v1/webhooks/nowpayments'
    const forge = async (remoteAddress: string) =>
      (await app.app.inject({ method: 'POST', url, payload: '{}', remoteAddress })).statusCode
    for (let count = 0; count < 60; count += 1) {
      expect(await forge(`2001:db8:1:2::${count}`)).toBe(401)
    }
    expect(await forge('2001:db8:1:2:ffff::1')).toBe(429)
    expect(await forge('2001:db8:1:3::1')).toBe(401)
    app.complaints.splice(0)
  })
})

describe('a webhook of a gateway with many payments to be asked about', () => {
  it('has its payment asked about before all others', async () => {
    const purchases: Transaction[] = []
    for (const _ of [1, 2, 3]) {
      buyer = await aUser(app)
      for (let count = 0; count < 10; count += 1) {
        purchases.push(await aPurchase(app, buyer, { token: 'btc-own' }))
      }
    }
    // All are asked about for the first time, twenty at once.
    while (await isAnyUnasked()) await watchChains(app.services)
    const last = purchases.at(-1) as Transaction
    const invoice = btcpay.invoiceOf(last.id)
    const receivedDate = Math.floor(app.clock.now().getTime() / 1000)
    const value = last.payment_amount ?? ''
    invoice.payments.push({ id: `${'ef'.repeat(32)}-0`, value, status: 'Settled', receivedDate })
    await app.passTime(1_000)
    const body = JSON.stringify({ deliveryId: 'hurry', invoiceId: invoice.id })
    await send('btcpay', body, { 'btcpay-sig': signDelivery(body) })
    await watchChains(app.services)
    expect(await lookAt(app, buyer, last)).toMatchObject({ status: 'completed' })
  })

  it('has a further deposit, which nobody knew of, asked about before all others too', async () => {
    const purchases: Transaction[] = []
    for (const _ of [1, 2, 3]) {
      buyer = await aUser(app)
      for (let count = 0; count < 10; count += 1) {
        purchases.push(await aPurchase(app, buyer, { token: 'btc' }))
      }
    }
    while (await isAnyUnasked('nowpayments')) await watchChains(app.services)
    const last = purchases.at(-1) as Transaction
    await app.passTime(1_000)
    const deposit = nowpayments.addDeposit(nowpayments.paymentOf(last.id), {
      actuallyPaid: last.payment_amount ?? '',
    })
    await sendIpn(writePayment(deposit, nowpayments.payments, false))
    await watchChains(app.services)
    expect(await lookAt(app, buyer, last)).toMatchObject({ status: 'completed' })
  })

  const payments = (gateway: string) =>
    app.open.database.selectFrom('gateway_payments').where('gateway', '=', gateway)

  async function isAnyUnasked(gateway = 'btcpay'): Promise<boolean> {
    return (await payments(gateway).where('asked_at', 'is', null).select('id').execute()).length > 0
  }
})

describe('a question that finds nothing out', () => {
  const SLOW_TO_ASK_AGAIN = { everyMs: 4_000, pauseMs: 0, pauseMaxMs: 0, recheckMs: 60_000 }
  let slow: TestApp

  beforeAll(async () => {
    const urls = { nowpayments: nowpayments.url }
    slow = await startGatewayApp([atGateway('nowpayments', 'btc')], urls, {
      pace: SLOW_TO_ASK_AGAIN,
    })
  })
  afterEach(() => {
    nowpayments.fault = null
  })
  afterAll(async () => {
    await expectInvariants(slow)
    await slow.close()
  })

  async function aSlowPurchase() {
    const own = await aUser(slow)
    const made = await aPurchase(slow, own, { token: 'btc' })
    const payment = nowpayments.paymentOf(made.id)
    const look = async () => {
      await watchChains(slow.services)
      return await lookAt(slow, own, made)
    }
    return { made, payment, look }
  }
  const pay = ({ made, payment }: Awaited<ReturnType<typeof aSlowPurchase>>) =>
    Object.assign(payment, { status: 'finished', actuallyPaid: made.payment_amount })

  it('leaves a payment due that a webhook names meanwhile', async () => {
    const bought = await aSlowPurchase()
    pay(bought)
    nowpayments.fault = async () => {
      const body = ipnOf(bought.made)
      const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signIpn(body) }
      const url = '/api/v1/webhooks/nowpayments'
      await slow.app.inject({ method: 'POST', url, payload: body, headers })
      return { status: 500, text: '{}' }
    }
    expect(await bought.look()).toMatchObject({ status: 'pending' })
    nowpayments.fault = null
    expect(await bought.look()).toMatchObject({ status: 'completed' })
    slow.complaints.splice(0)
  })

  it('about one that the gateway does not know delays no other, and is asked like any other', async () => {
    const { payment, look } = await aSlowPurchase()
    nowpayments.payments.delete(String(payment.id))
    await look()
    expect(slow.services.rails.get('nowpayments')?.health?.('nowpayments')).toMatchObject({
      fault: null,
    })
    // By now its question comes once in two hours, if it is answered.
    const asksAfter = async (ms: number) => {
      nowpayments.calls.splice(0)
      await slow.passTime(ms)
      await watchChains(slow.services)
      return nowpayments.calls.filter(({ path }) => path === `/payment/${payment.id}`).length
    }
    expect(await asksAfter(3 * 24 * 3_600_000)).toBe(1)
    expect(await asksAfter(3_600_000)).toBe(0)
    expect(await asksAfter(3_700_000)).toBe(1)
    slow.complaints.splice(0)
  })
})
