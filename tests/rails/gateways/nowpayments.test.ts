import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { refundsContract } from '#contract/refunds.ts'
import { saleContract } from '#contract/sale.ts'
import type { Transaction } from '#contract/shapes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  part,
  passExpiry,
  refundsOf,
  tryToBuy,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { type NowpaymentsServer, startNowpayments } from '#tests/kit/servers/nowpayments-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const HOUR_MS = 3_600_000

describe('paying by NOWPayments', () => {
  let gateway: NowpaymentsServer
  let app: TestApp
  let buyer: RegisteredUser

  beforeAll(async () => {
    gateway = await startNowpayments()
    const usdt = atGateway('nowpayments', 'usdterc20', {
      id: 'usdt',
      symbol: 'USDT',
      chain: 'ERC20',
      decimals: 6,
      fixedPrice: (10n ** 12n) as never,
    })
    const tokens = [atGateway('nowpayments', 'btc'), usdt, { ...usdt, id: 'usdt-again' }]
    app = await startGatewayApp(tokens, { nowpayments: gateway.url })
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

  it('takes what is due: seen while it confirms, completed when it has', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    expect(purchase).toMatchObject({
      payment_address: `addr-${payment.id}`,
      payment_id: String(payment.id),
      required_confirmations: 1,
    })
    expect(payment.payAmount).toBe(purchase.payment_amount)
    const asked = gateway.calls.findLast(({ method }) => method === 'POST')
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      price_amount: 100,
      price_currency: 'usd',
    })
    expect(await look(purchase)).toMatchObject({ status: 'pending' })
    payment.status = 'confirming'
    payment.actuallyPaid = purchase.payment_amount ?? ''
    expect(await look(purchase)).toMatchObject({ status: 'processing', confirmations: 0 })
    payment.status = 'finished'
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('credits the value and not the word: finished with half is half', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'finished'
    payment.actuallyPaid = part(purchase, 0.5)
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'underpaid' })

    const missing = (await lookAt(app, buyer, purchase)).payment_amount ?? ''
    gateway.addDeposit(payment, { actuallyPaid: missing, status: 'partially_paid' })
    await look(purchase)
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.receipts).toHaveLength(2)
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('lists a deposit of another asset for refund although it is finished', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    gateway.addDeposit(payment, { currency: 'usdterc20', actuallyPaid: '100.5' })
    await look(purchase)
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'wrong_asset' })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 100_500_000n, why: 'wrong_asset' }])
  })

  it('owes each coin that the sale does not take by its name, and sums up no two', async () => {
    const other = await aUser(app)
    const purchase = await aPurchase(app, other, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    gateway.addDeposit(payment, { currency: 'ltc', actuallyPaid: '0.05' })
    gateway.addDeposit(payment, { currency: 'xmr', actuallyPaid: '1.5' })
    await watchChains(app.services)
    await watchChains(app.services)
    const { refunds: shown } = await lookAt(app, other, purchase)
    expect(shown).toHaveLength(2)
    expect(shown).toContainEqual(
      expect.objectContaining({ symbol: 'LTC', amount: '0.05', chain: null, is_claimable: false }),
    )
    expect(shown).toContainEqual(expect.objectContaining({ symbol: 'XMR', amount: '1.5' }))

    const { owed } = (await app.client.call(refundsContract.listOwnRefunds, {}, other.as)).body
    const nameless = { payment_token: null, why_not: 'unknown_asset' }
    expect(owed).toHaveLength(2)
    for (const amount of ['0.05', '1.5']) {
      expect(owed).toContainEqual(expect.objectContaining({ ...nameless, amount }))
    }
  })

  it('reads very small amounts exactly, however they are written', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'partially_paid'
    payment.actuallyPaid = '1e-8'
    expect((await look(purchase)).receipts).toMatchObject([{ amount: '0.00000001' }])
  })

  it('fails a purchase once its API reports failed, and owes back what came', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'failed'
    payment.actuallyPaid = '0.00000005'
    expect(await look(purchase)).toMatchObject({ status: 'failed' })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 5n, why: 'failed' }])
  })

  it('takes a refunded deposit back', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'finished'
    payment.actuallyPaid = purchase.payment_amount ?? ''
    expect(await look(purchase)).toMatchObject({ status: 'completed' })
    payment.status = 'refunded'
    expect(await look(purchase)).toMatchObject({ status: 'failed' })
    expect(await refundsOf(app, purchase)).toEqual([])
    await sendMails(app.services)
    const mail = app.mailbox.taken.findLast(({ text }) => text.includes(purchase.id))
    expect(mail?.subject).toContain('has been cancelled')
    // The gateway has paid it back: whoever waits for a refund would be paid twice.
    expect(mail?.text).not.toContain('recorded and owed')
    expect(mail?.text).toContain('sent back by the service')
  })

  it('takes one of two deposits back, and does not say that it comes again by itself', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'finished'
    payment.actuallyPaid = part(purchase, 0.5)
    await look(purchase)
    const further = gateway.addDeposit(payment, {
      actuallyPaid: part(purchase, 0.5),
      status: 'finished',
    })
    await look(purchase)
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
    further.status = 'refunded'
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    await sendMails(app.services)
    const mail = app.mailbox.taken.findLast(({ text }) => text.includes(purchase.id))
    expect(mail?.subject).toContain('no longer counts')
    expect(mail?.text).toContain('the service that received it has sent it back')
    expect(mail?.text).not.toMatch(/come back by themselves|your wallet/)
  })

  it('keeps another order of the gateway from being credited', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    Object.assign(payment, { orderId: 'another-shop', status: 'finished', actuallyPaid: '1' })
    expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
    expect(app.complaints.splice(0).map(({ facts }) => facts['why'])).toContainEqual(
      expect.stringContaining('another order'),
    )
  })

  it('leaves a trace of a payment whose answer was lost, and shows nobody an address', async () => {
    const before = gateway.payments.size
    gateway.fault = ({ method }) => (method === 'POST' ? 'silence' : null)
    expect((await tryToBuy(app, buyer, { token: 'btc' })).refusal.reason).toBe('RailUnavailable')
    expect(app.complaints.splice(0)).toMatchObject([
      { message: expect.stringContaining('no answer came') },
    ])
    const lost = await app.open.database
      .selectFrom('gateway_payments')
      .select('purchase_id')
      .where('payment_id', 'is', null)
      .execute()
    expect(lost).toHaveLength(1)
    expect(gateway.payments.size).toBe(before)
  })

  it('asks for no less than the gateway takes', async () => {
    const input = { params: { id: 'usdt' } }
    gateway.minimum = '19.25'
    const { body } = await app.client.call(saleContract.getTokenMinimum, input)
    expect(body).toMatchObject({ min_amount_fiat: 19.250001, rail_min_amount_fiat: 19.250001 })
    const refused = await tryToBuy(app, buyer, { token: 'usdt', usd: 19 })
    expect(refused.refusal).toMatchObject({ reason: 'BelowMinimum' })
    expect((await tryToBuy(app, buyer, { token: 'usdt', usd: 20 })).status).toBe(201)
  })

  it('asks for no rest that is less than the gateway takes', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'usdt', usd: 500 })
    const payment = gateway.paymentOf(purchase.id)
    payment.status = 'partially_paid'
    payment.actuallyPaid = '300'
    await look(purchase)
    expect(await newestMail(purchase)).toContain('same address')
    payment.actuallyPaid = String(Number(purchase.payment_amount) - 19)
    await look(purchase)
    expect(await lookAt(app, buyer, purchase)).toMatchObject({
      status: 'pending',
      status_reason: 'underpaid',
      payment_amount: '0',
      payment_uri: null,
    })
    const mail = await newestMail(purchase)
    expect(mail).toContain('less than the payment service accepts')
    expect(mail).not.toContain('same address')

    async function newestMail({ id }: Transaction): Promise<string | undefined> {
      await sendMails(app.services)
      return app.mailbox.taken.findLast(({ text }) => text.includes(id))?.text
    }
  })

  it('credits the payment token that was chosen, where another has the same name there', async () => {
    for (const token of ['usdt', 'usdt-again']) {
      const purchase = await aPurchase(app, buyer, { token })
      const payment = gateway.paymentOf(purchase.id)
      expect(payment.payAmount).toBe(purchase.payment_amount)
      payment.status = 'finished'
      payment.actuallyPaid = purchase.payment_amount ?? ''
      expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
    }
  })

  it('was sent in time where the gateway notices it a little after the expiry', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const payment = gateway.paymentOf(purchase.id)
    await passExpiry(app)
    expect(await look(purchase)).toMatchObject({ status: 'pending' })
    payment.status = 'confirming'
    payment.actuallyPaid = purchase.payment_amount ?? ''
    expect(await look(purchase)).toMatchObject({ status: 'processing' })
    payment.status = 'finished'
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.tokens).toEqual(purchase.tokens)
  })

  it('expires nothing while the gateway does not answer, and then does', async () => {
    const other = await aUser(app)
    const purchase = await aPurchase(app, other, { token: 'btc' })
    gateway.fault = () => ({ status: 502, text: '<html>bad gateway</html>' })
    await passExpiry(app)
    app.complaints.splice(0)
    expect(await lookAt(app, other, purchase)).toMatchObject({ status: 'pending' })
    // As a proxy answers while what it stands before is away.
    gateway.fault = () => ({ status: 404, text: '404 page not found' })
    await app.passTime(300_000)
    await watchChains(app.services)
    expect(await lookAt(app, other, purchase)).toMatchObject({ status: 'pending' })
    expect(app.services.rails.get('nowpayments')?.health?.('nowpayments').fault).toContain('404')
    app.complaints.splice(0)
    gateway.fault = null
    await watchChains(app.services)
    await watchChains(app.services)
    expect(await lookAt(app, other, purchase)).toMatchObject({ status: 'expired' })
  })

  it('is asked about what was asked about by a clock that was ahead, once that is right', async () => {
    await app.passTime(2 * HOUR_MS)
    await refreshPrices(app.services)
    buyer = await aUser(app)
    const btc = { token: 'btc' }
    const [first, second] = [await aPurchase(app, buyer, btc), await aPurchase(app, buyer, btc)]
    await look(first)
    await app.passTime(-2 * HOUR_MS)
    for (const { id, payment_amount: due } of [first, second]) {
      Object.assign(gateway.paymentOf(id), { status: 'finished', actuallyPaid: due ?? '' })
    }
    const { id } = gateway.paymentOf(second.id)
    const hint = { eventId: 'paid', paymentId: String(id), parentId: null, orderId: second.id }
    await app.services.rails.get('nowpayments')?.webhook?.follow(hint)
    // More are due than are asked about at once.
    await watchChains(app.services)
    for (const purchase of [first, second]) {
      expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
    }
  })
})
