import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { expectInvariants, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { type BtcpayServer, startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import {
  type NowpaymentsServer,
  signIpn,
  startNowpayments,
  writePayment,
} from '#tests/kit/servers/nowpayments-server.ts'
import type { PlayedServer } from '#tests/kit/servers/played-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A payment is made at the gateway, its answer is lost, and somebody pays it all the same. */
describe('a payment whose answer was lost', () => {
  let nowpayments: NowpaymentsServer
  let btcpay: BtcpayServer
  let app: TestApp
  let buyer: RegisteredUser

  beforeAll(async () => {
    nowpayments = await startNowpayments()
    btcpay = await startBtcpay()
    const tokens = [
      atGateway('nowpayments', 'btc'),
      atGateway('btcpay', 'BTC-CHAIN', { id: 'btc-own', name: 'Bitcoin here' }),
    ]
    app = await startGatewayApp(tokens, { nowpayments: nowpayments.url, btcpay: btcpay.url })
  })
  afterEach(async () => {
    nowpayments.fault = null
    btcpay.fault = null
    await expectInvariants(app)
  })
  afterAll(async () => {
    await app.close()
    await nowpayments.stop()
    await btcpay.stop()
  })

  /** Asks for a payment that is made, while its answer never comes. */
  async function buyInVain(
    server: PlayedServer,
    token: string,
    isLost: (path: string) => boolean,
  ): Promise<void> {
    buyer = await aUser(app)
    server.fault = (call) => {
      if (!isLost(`${call.method} ${call.path}`)) return null
      server.play(call)
      return 'silence'
    }
    expect((await tryToBuy(app, buyer, { token })).refusal.reason).toBe('RailUnavailable')
    server.fault = null
    app.complaints.splice(0)
  }
  const state = async () =>
    (await app.client.call(operatorContract.getSaleState, {}, operator)).body
  const unmatched = async () => {
    const query = { kind: 'unmatched' as const }
    return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
  }
  const look = async (ms: number) => {
    await app.passTime(ms)
    await refreshPrices(app.services)
    await watchChains(app.services)
    await watchChains(app.services)
  }

  /** With payments of another shop, which uses the same account. */
  function fillFirstPage(): void {
    for (let id = 1; id <= 500; id += 1) {
      nowpayments.payments.set(String(id), {
        id,
        parentId: null,
        status: 'finished',
        orderId: 'another-shop',
        currency: 'btc',
        payAmount: '1',
        actuallyPaid: '1',
        createdAt: new Date(),
      })
    }
  }

  it('is found at BTCPay Server by its order, and its money is listed, counted and told', async () => {
    const before = (await state()).unmatched
    await buyInVain(btcpay, 'btc-own', () => true)
    expect((await state()).lost_payments).toBe(0)
    const invoice = [...btcpay.invoices.values()].at(-1)
    if (invoice === undefined) throw new Error('No invoice was made.')
    await look(2 * MINUTE_MS)
    expect(app.complaints.splice(0).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('no buyer was shown its address'),
    )
    expect((await state()).lost_payments).toBe(0)

    const receivedDate = Math.floor(app.clock.now().getTime() / 1000)
    const id = 'ef'.repeat(32)
    invoice.payments = [{ id: `${id}-0`, value: '0.5', status: 'Settled', receivedDate }]
    await look(MINUTE_MS)
    expect(await unmatched()).toContainEqual(
      expect.objectContaining({
        id: `btcpay:${id}:0`,
        detail: expect.stringContaining(`bc1q${invoice.id.toLowerCase()}`),
      }),
    )
    expect((await state()).unmatched).toBe(before + 1)
    const refunds = await app.client.call(operatorContract.listRefunds, { query: {} }, operator)
    expect(refunds.body.unmatched).toBe(before + 1)
    const metrics = (await app.app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(new RegExp(`^sale_unmatched_transfers\\{.*\\} ${before + 1}$`, 'm'))
    app.complaints.splice(0)
  })

  it.each(['?orderId=', '/payment-methods'])(
    'is looked for at BTCPay Server also where its question about %s was refused',
    async (refused) => {
      buyer = await aUser(app)
      btcpay.fault = (call) => {
        if (call.path.includes(refused)) return { status: 429, text: '{"message":"Slow down"}' }
        if (call.method !== 'POST' || refused === '/payment-methods') return null
        btcpay.play(call)
        return 'silence'
      }
      const { refusal } = await tryToBuy(app, buyer, { token: 'btc-own' })
      expect(refusal.reason).toBe('RailUnavailable')
      btcpay.fault = null
      app.complaints.splice(0)
      await look(2 * MINUTE_MS)
      expect(app.complaints.splice(0).map(({ message }) => message)).toContainEqual(
        expect.stringContaining('no buyer was shown its address'),
      )
    },
  )

  it('is found in the list of NOWPayments', async () => {
    const before = (await state()).unmatched
    fillFirstPage()
    await buyInVain(nowpayments, 'btc', (call) => call === 'POST /payment')
    const payment = [...nowpayments.payments.values()].at(-1)
    if (payment === undefined) throw new Error('No payment was made.')
    Object.assign(payment, { status: 'finished', actuallyPaid: '0.25' })
    await look(2 * MINUTE_MS)
    await look(MINUTE_MS)
    expect(await unmatched()).toContainEqual(
      expect.objectContaining({ id: `nowpayments:${payment.id}:0` }),
    )
    expect((await state()).unmatched).toBe(before + 1)
    app.complaints.splice(0)
  })

  it('is counted for as long as NOWPayments does not show its list, and says so', async () => {
    await buyInVain(nowpayments, 'btc', (call) => call === 'POST /payment')
    nowpayments.fault = ({ path }) =>
      path.startsWith('/payment/?') ? { status: 403, text: '{"message":"A token is due"}' } : null
    await look(2 * MINUTE_MS)
    expect((await state()).lost_payments).toBe(1)
    const metrics = (await app.app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(/^sale_gateway_payments_lost\{.*\} 1$/m)
    expect(app.complaints.splice(0).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('cannot be looked for'),
    )
    nowpayments.fault = null
    await look(DAY_MS)
    expect((await state()).lost_payments).toBe(0)
    app.complaints.splice(0)
  })

  it('is brought to light by its webhook where NOWPayments does not show its list', async () => {
    const before = (await state()).unmatched
    await buyInVain(nowpayments, 'btc', (call) => call === 'POST /payment')
    const payment = [...nowpayments.payments.values()].at(-1)
    if (payment === undefined) throw new Error('No payment was made.')
    Object.assign(payment, { status: 'finished', actuallyPaid: '0.25' })
    nowpayments.fault = ({ path }) =>
      path.startsWith('/payment/?') ? { status: 403, text: '{"message":"A token is due"}' } : null
    await look(2 * MINUTE_MS)
    expect((await state()).unmatched).toBe(before)
    const payload = writePayment(payment, nowpayments.payments, false)
    const headers = {
      'content-type': 'application/json',
      'x-nowpayments-sig': signIpn(payload),
    }
    const url = '/api/v1/webhooks/nowpayments'
    await app.app.inject({ method: 'POST', url, payload, headers })
    await look(MINUTE_MS)
    expect((await state()).unmatched).toBe(before + 1)
    nowpayments.fault = null
    await look(DAY_MS)
    expect(await state()).toMatchObject({ unmatched: before + 1, lost_payments: 0 })
    app.complaints.splice(0)
  })

  it('is put away by a person where NOWPayments never shows its list', async () => {
    await buyInVain(nowpayments, 'btc', (call) => call === 'POST /payment')
    nowpayments.fault = ({ path }) =>
      path.startsWith('/payment/?') ? { status: 403, text: '{"message":"A token is due"}' } : null
    await look(DAY_MS)
    const query = { kind: 'lost_payment' as const }
    const lost = async () =>
      (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
    const [item] = await lost()
    expect(item).toMatchObject({ purchase_id: null })
    const body = { ...query, id: item?.id ?? '', reason: 'The dashboard has none' }
    expect((await app.client.call(consoleContract.closeInboxItem, { body }, operator)).status).toBe(
      204,
    )
    await look(DAY_MS)
    expect(await lost()).toEqual([])
    expect((await state()).lost_payments).toBe(0)
    app.complaints.splice(0)
  })

  it('is over where the gateway knows of none, and where it or its proxy has refused it', async () => {
    await buyInVain(nowpayments, 'btc', (call) => call === 'POST /payment')
    nowpayments.payments.delete([...nowpayments.payments.keys()].at(-1) ?? '')
    await look(2 * MINUTE_MS)
    expect((await state()).lost_payments).toBe(1)
    await look(DAY_MS)
    expect((await state()).lost_payments).toBe(0)

    for (const { isFault, ...refusal } of [
      { status: 400, text: '{"message":"No"}', isFault: false },
      { status: 429, text: '<html>Too many requests</html>', isFault: true },
    ]) {
      buyer = await aUser(app)
      nowpayments.fault = ({ method }) => (method === 'POST' ? refusal : null)
      await tryToBuy(app, buyer, { token: 'btc' })
      const query = { kind: 'chain' as const }
      const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
      expect(body.data.map(({ id }) => id)).toEqual(isFault ? ['nowpayments'] : [])
      await look(2 * MINUTE_MS)
      expect((await state()).lost_payments).toBe(0)
    }
    app.complaints.splice(0)
  })
})
