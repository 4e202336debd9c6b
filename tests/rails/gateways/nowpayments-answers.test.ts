import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectInvariants, lookAt, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { type NowpaymentsServer, startNowpayments } from '#tests/kit/servers/nowpayments-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

describe('what NOWPayments answers', () => {
  let gateway: NowpaymentsServer
  let app: TestApp
  let buyer: RegisteredUser

  beforeAll(async () => {
    gateway = await startNowpayments()
    app = await startGatewayApp([atGateway('nowpayments', 'btc')], { nowpayments: gateway.url })
  })
  // Time passes in these tests, in which prices grow old and sessions end.
  beforeEach(async () => {
    await refreshPrices(app.services)
    buyer = await aUser(app)
  })
  afterEach(async () => {
    gateway.fault = null
    await expectInvariants(app)
  })
  afterAll(async () => {
    await app.close()
    await gateway.stop()
  })

  async function look(purchase: Transaction) {
    await watchChains(app.services)
    return await lookAt(app, buyer, purchase)
  }

  it('credits no further deposit that belongs to a payment of another order', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    const further = gateway.addDeposit(payment, { actuallyPaid: purchase.payment_amount ?? '' })
    await look(purchase)
    further.parentId = 1
    expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
    expect(app.complaints.splice(0).map(({ facts }) => facts['why'])).toContainEqual(
      expect.stringContaining('another order'),
    )
  })

  it('counts no further deposit that failed', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const further = gateway.addDeposit(gateway.paymentOf(purchase.id), {
      actuallyPaid: purchase.payment_amount ?? '',
      status: 'failed',
    })
    await look(purchase)
    expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
    further.status = 'finished'
    expect(await look(purchase)).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['is for another order', /"order_id":"[^"]*"/, '"order_id":"another-shop"'],
    ['is in another coin', '"pay_currency":"btc"', '"pay_currency":"ltc"'],
    ['needs a memo', '"payin_extra_id":null', '"payin_extra_id":"1234"'],
  ])('shows nobody the address of a payment that %s', async (_, wanted, other) => {
    gateway.fault = (call) => {
      const answer = gateway.play(call)
      if (call.method !== 'POST' || answer === 'silence') return answer
      return { ...answer, text: answer.text.replace(wanted, other) }
    }
    expect((await tryToBuy(app, buyer, { token: 'btc' })).refusal.reason).toBe('RailUnavailable')
    expect(app.complaints.splice(0)).not.toEqual([])
  })

  it.each([
    ['of a different payment', /"payment_id":\d+/, '"payment_id":1'],
    ['of a status that nobody knows', '"finished"', '"nearly_finished"'],
    [
      'that it is finished, but not what was paid',
      /"actually_paid":[\d.]+/,
      '"actually_paid":null',
    ],
    ['of an amount that is none', /"actually_paid":[\d.]+/, '"actually_paid":"much"'],
  ])(
    'expires nothing by an answer %s, and credits what was paid in time',
    async (_, right, wrong) => {
      const purchase = await aPurchase(app, buyer, { token: 'btc' })
      const payment = gateway.paymentOf(purchase.id)
      await look(purchase)
      Object.assign(payment, { status: 'finished', actuallyPaid: purchase.payment_amount })
      gateway.fault = (call) => {
        const answer = gateway.play(call)
        if (answer === 'silence' || !call.path.endsWith(`/${payment.id}`)) return answer
        return { ...answer, text: answer.text.replace(right, wrong) }
      }
      await app.passTime(10 * 60_000)
      await refreshPrices(app.services)
      expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
      gateway.fault = null
      app.complaints.splice(0)
      await app.passTime(60_000)
      expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
    },
  )

  it('counts a further deposit from when it came, however late it is found', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    await look(purchase)
    gateway.addDeposit(gateway.paymentOf(purchase.id), {
      actuallyPaid: purchase.payment_amount ?? '',
      createdAt: app.clock.now(),
    })
    gateway.fault = () => ({ status: 503, text: '{"message":"Not now"}' })
    await app.passTime(10 * 60_000)
    await refreshPrices(app.services)
    expect(await look(purchase)).toMatchObject({ status: 'pending' })
    gateway.fault = null
    app.complaints.splice(0)
    await app.passTime(60_000)
    await look(purchase)
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
  })

  it('counts as late what comes after its purchase has expired', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    await app.passTime(10 * 60_000)
    await refreshPrices(app.services)
    await look(purchase)
    expect(await look(purchase)).toMatchObject({ status: 'expired' })
    const payment = gateway.paymentOf(purchase.id)
    Object.assign(payment, { status: 'finished', actuallyPaid: purchase.payment_amount })
    await app.passTime(60_000)
    expect(await look(purchase)).toMatchObject({ status_reason: 'late' })
  })
})
