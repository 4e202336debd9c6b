import { afterEach, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { startWorkers } from '#server/workers/start-workers.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { startAnvil } from '#tests/kit/servers/anvil.ts'
import { BTCPAY_SECRET, signDelivery, startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import { aCoin, addressOf, CONFIRMATIONS, dueOf, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { startLitecoind } from '#tests/kit/servers/litecoind.ts'
import { signIpn, startNowpayments, writePayment } from '#tests/kit/servers/nowpayments-server.ts'
import { type EventReader, readEvents } from '#tests/kit/servers/read-events.ts'
import { startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import { playMainnet, startUtxoApp } from '#tests/kit/servers/utxo-app.ts'

/**
 * Between two readings. The last confirmation is not to wait for the next one: whoever looks at the
 * page sees it as soon as the server, which looks each second, can know of it.
 */
const SLOW: Pace = { everyMs: 12_000, pauseMs: 500, pauseMaxMs: 1_000, recheckMs: 60_000 }

describe('the live event of the last confirmation', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  /** A page that is open, on a server that works by itself. */
  async function open(app: TestApp, token: string) {
    closers.push(() => app.close())
    const buyer = await aUser(app)
    const purchase = await aPurchase(app, buyer, { token })
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const events = await readEvents(address, buyer.as.accessToken)
    closers.push(async () => events.close())
    closers.push(startWorkers(app.services))
    return { purchase, events }
  }
  const shown = async (events: EventReader, status: Transaction['status'], confirmations: number) =>
    await events.next(
      'transaction',
      ({ transaction }) =>
        transaction.status === status && transaction.confirmations === confirmations,
    )
  /** How long it takes from an act to its event. */
  async function tookMs(act: () => Promise<unknown>, event: () => Promise<unknown>) {
    await act()
    const from = performance.now()
    await event()
    return performance.now() - from
  }

  it('on an EVM chain comes before the next reading, beside a chain that hardly answers', async () => {
    const anvil = await startAnvil(1)
    closers.push(() => anvil.stop())
    const bsc = await startAnvil(56)
    closers.push(() => bsc.stop())
    const slow = await startRpcProxy(bsc.url)
    closers.push(() => slow.stop())
    const app = await startEvmApp({
      nodes: { 1: anvil.url, 56: slow.url },
      tokens: [aCoin(), aCoin({ id: 'bnb', symbol: 'BNB', chain: 'BSC', chainId: 56 })],
      pace: SLOW,
    })
    const { purchase, events } = await open(app, 'eth')
    await anvil.send({ to: addressOf(purchase), value: dueOf(purchase) })
    await anvil.mine()
    slow.intercept = async (_method, _params, ask) => {
      await new Promise((resolve) => setTimeout(resolve, 4_000))
      return await ask()
    }
    await shown(events, 'processing', 1)
    const ms = await tookMs(
      () => anvil.mine(CONFIRMATIONS - 1),
      () => shown(events, 'completed', CONFIRMATIONS),
    )
    slow.intercept = null
    expect(ms).toBeLessThan(SLOW.everyMs / 2)
  })

  it('of a coin of the Bitcoin family comes before the next reading', async () => {
    const litecoind = await startLitecoind()
    closers.push(() => litecoind.stop())
    const proxy = await playMainnet('LTC', litecoind.url)
    closers.push(() => proxy.stop())
    const app = await startUtxoApp({ nodes: { LTC: proxy.url }, pace: SLOW })
    const { purchase, events } = await open(app, 'ltc')
    await litecoind.pay([addressOf(purchase), dueOf(purchase)])
    await shown(events, 'processing', 0)
    const ms = await tookMs(
      () => litecoind.mine(CONFIRMATIONS),
      () => shown(events, 'completed', CONFIRMATIONS),
    )
    expect(ms).toBeLessThan(SLOW.everyMs / 2)
  })

  it('of a gateway comes by its webhook', async () => {
    const nowpayments = await startNowpayments()
    closers.push(() => nowpayments.stop())
    const btcpay = await startBtcpay()
    closers.push(() => btcpay.stop())
    const tokens = [
      atGateway('nowpayments', 'btc'),
      atGateway('btcpay', 'BTC-CHAIN', { id: 'btc-own', name: 'Bitcoin here' }),
    ]
    const urls = { nowpayments: nowpayments.url, btcpay: btcpay.url }
    const app = await startGatewayApp(tokens, urls, { pace: SLOW })
    const call = (gateway: string, body: string, signature: Record<string, string>) =>
      app.app.inject({
        method: 'POST',
        url: `/api/v1/webhooks/${gateway}`,
        payload: body,
        headers: { 'content-type': 'application/json', ...signature },
      })

    const { purchase, events } = await open(app, 'btc')
    const payment = nowpayments.paymentOf(purchase.id)
    const notify = () => {
      const body = writePayment(payment, nowpayments.payments, false)
      return call('nowpayments', body, { 'x-nowpayments-sig': signIpn(body) })
    }
    Object.assign(payment, { status: 'confirming', actuallyPaid: purchase.payment_amount })
    await notify()
    await shown(events, 'processing', 0)
    payment.status = 'finished'
    expect(await tookMs(notify, () => shown(events, 'completed', 1))).toBeLessThan(SLOW.everyMs / 2)

    const buyer = await aUser(app)
    const other = await aPurchase(app, buyer, { token: 'btc-own' })
    const page = await readEvents(`http://127.0.0.1:${portOf(app)}`, buyer.as.accessToken)
    closers.push(async () => page.close())
    const invoice = btcpay.invoiceOf(other.id)
    const receivedDate = Math.floor(app.clock.now().getTime() / 1000)
    const value = other.payment_amount ?? ''
    const deliver = (deliveryId: string) => {
      const body = JSON.stringify({ deliveryId, invoiceId: invoice.id, type: 'InvoiceSettled' })
      return call('btcpay', body, { 'btcpay-sig': signDelivery(body, BTCPAY_SECRET) })
    }
    invoice.payments = [{ id: 'one', value, status: 'Processing', receivedDate }]
    await deliver('first')
    await shown(page, 'processing', 0)
    invoice.payments = [{ id: 'one', value, status: 'Settled', receivedDate }]
    expect(
      await tookMs(
        () => deliver('second'),
        () => shown(page, 'completed', 1),
      ),
    ).toBeLessThan(SLOW.everyMs / 2)
  })
})

function portOf({ app }: TestApp): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
