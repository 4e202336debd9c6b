import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consoleContract } from '#contract/operator/console.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { requestSettlements } from '#server/database/purchases/purchases.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mailsOf,
  part,
  passExpiry,
  refundsOf,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { type BtcpayServer, startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { keepTime, type TestApp } from '#tests/kit/servers/start-app.ts'

const HASH = 'ab'.repeat(32)
const OTHER_HASH = 'cd'.repeat(32)

const paid = (app: TestApp, id: string, value: string, status: string) => ({
  id,
  value,
  status,
  receivedDate: Math.floor(app.clock.now().getTime() / 1000),
})

describe('paying by BTCPay Server', () => {
  let gateway: BtcpayServer
  let app: TestApp
  let buyer: RegisteredUser

  beforeAll(async () => {
    gateway = await startBtcpay()
    app = await startGatewayApp([atGateway('btcpay', 'BTC-CHAIN')], { btcpay: gateway.url })
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
  /** Acts once a payment is stored, while the reading still waits for an answer about another. */
  async function amidReading(other: Transaction, hash: string, act: () => Promise<unknown>) {
    const answered = Promise.withResolvers<null>()
    gateway.fault = ({ path }) =>
      path.includes(gateway.invoiceOf(other.id).id) ? answered.promise : null
    const reading = watchChains(app.services)
    const isStored = async () =>
      (await app.open.database
        .selectFrom('gateway_deposits')
        .select('amount')
        .where('transaction_hash', '=', hash)
        .executeTakeFirst()) !== undefined
    await expect.poll(isStored).toBe(true)
    try {
      await act()
    } finally {
      answered.resolve(null)
      await reading
    }
  }

  it('adds several payments up, two outputs of one transaction too', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    expect(invoice).toMatchObject({ amount: purchase.payment_amount, currency: 'BTC' })
    const half = part(purchase, 0.5)
    invoice.payments.push(paid(app, `${HASH}-0`, half, 'Processing'))
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    invoice.payments.push(paid(app, `${HASH}-1`, half, 'Processing'))
    expect(await look(purchase)).toMatchObject({ status: 'processing' })
    for (const payment of invoice.payments) payment.status = 'Settled'
    const completed = await look(purchase)
    expect(completed).toMatchObject({ status: 'completed', status_reason: null })
    expect(completed.receipts).toHaveLength(2)
  })

  it('keeps what a payment was recorded as, whatever its coin is called afterwards', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    const due = purchase.payment_amount ?? ''
    invoice.payments = [paid(app, `${'5e'.repeat(32)}-0`, part(purchase, 0.5), 'Settled')]
    const underpaid = await look(purchase)
    expect(underpaid).toMatchObject({ status: 'pending', status_reason: 'underpaid' })
    const askAgain = async () => {
      const hint = { eventId: 'again', paymentId: invoice.id, parentId: null, orderId: purchase.id }
      await app.services.rails.get('btcpay')?.webhook?.follow(hint)
      return await look(purchase)
    }
    invoice.code = 'BTC-Elsewhere'
    expect(await askAgain()).toEqual(underpaid)
    // As another version of BTCPay Server calls it.
    invoice.code = 'BTC'
    invoice.payments.push(paid(app, `${'5e'.repeat(32)}-1`, due, 'Settled'))
    expect(await askAgain()).toMatchObject({
      status: 'completed',
      status_reason: 'overpaid',
      receipts: [underpaid.receipts?.[0], { amount: due }],
    })
  })

  it.each([
    [100, 'LowMediumSpeed'],
    [10_000, 'LowSpeed'],
  ])(
    'decides itself when $%d count as settled, whatever the store is set to',
    async (usd, policy) => {
      const { id } = await aPurchase(app, buyer, { token: 'btc', usd })
      expect(gateway.invoiceOf(id)).toMatchObject({ speedPolicy: policy })
    },
  )

  it('tells two invoices apart that one transaction without named outputs has paid', async () => {
    const purchases = [
      await aPurchase(app, buyer, { token: 'btc' }),
      await aPurchase(app, buyer, { token: 'btc' }),
    ]
    for (const { id, payment_amount } of purchases) {
      gateway.invoiceOf(id).payments.push(paid(app, '0xone', payment_amount ?? '', 'Settled'))
    }
    for (const purchase of purchases) {
      expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
    }
  })

  it('finds the address under whichever name the server has for the coin', async () => {
    const method = { paymentMethodId: 'btc', destination: 'bc1qotherversion', payments: [] }
    gateway.fault = ({ path }) =>
      path.endsWith('/payment-methods') ? { status: 200, text: JSON.stringify([method]) } : null
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    expect(purchase).toMatchObject({ payment_address: 'bc1qotherversion' })
  })

  it('still reads an invoice to which somebody has sent three thousand specks', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const { payments } = gateway.invoiceOf(purchase.id)
    for (let nth = 0; nth < 3_000; nth += 1) {
      payments.push(paid(app, `${nth.toString(16).padStart(64, '0')}-0`, '0.00000001', 'Invalid'))
    }
    payments.push(paid(app, `${'9d'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
  })

  it('credits nothing for an invoice that somebody else made for the purchase', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = { ...gateway.invoiceOf(purchase.id), id: 'OfAPointOfSale' }
    const due = purchase.payment_amount ?? ''
    gateway.invoices.set(invoice.id, {
      ...invoice,
      payments: [paid(app, `${'8c'.repeat(32)}-0`, due, 'Settled')],
    })
    const hint = { eventId: 'other', paymentId: invoice.id, parentId: null, orderId: purchase.id }
    await app.services.rails.get('btcpay')?.webhook?.follow(hint)
    expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
    expect(app.complaints.splice(0).map(({ facts }) => facts['why'])).toEqual([
      'Invoice OfAPointOfSale of BTCPay Server was not made by this sale',
    ])
    gateway.invoices.delete(invoice.id)
  })

  it('credits a late payment that was settled while an invoice of somebody else was due', async () => {
    const other = await aPurchase(app, buyer, { token: 'btc' })
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const { payments } = gateway.invoiceOf(purchase.id)
    await look(purchase)
    await passExpiry(app)
    payments.push(paid(app, `${'7d'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
    const hint = { eventId: 'shop', paymentId: 'OfAShop', parentId: null, orderId: purchase.id }
    await amidReading(other, '7d'.repeat(32), async () => {
      await app.services.rails.get('btcpay')?.webhook?.follow(hint)
    })
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: 'late' })
    app.complaints.splice(0)
  })

  it('credits nothing for an invoice that somebody marked as settled', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    Object.assign(gateway.invoiceOf(purchase.id), { status: 'Settled', additionalStatus: 'Marked' })
    expect(await look(purchase)).toMatchObject({ status: 'pending', receipts: [] })
  })

  it('takes back a payment that was replaced', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    const due = purchase.payment_amount ?? ''
    invoice.payments = [paid(app, `${OTHER_HASH}-0`, due, 'Processing')]
    expect(await look(purchase)).toMatchObject({ status: 'processing' })
    invoice.payments = []
    expect(await look(purchase)).toMatchObject({ status: 'pending', status_reason: 'reorged' })
    invoice.payments = [paid(app, `${OTHER_HASH}-0`, due, 'Settled')]
    expect(await look(purchase)).toMatchObject({ status: 'completed' })
  })

  it('counts what replaces a payment after the expiry as sent when that one was', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    const due = purchase.payment_amount ?? ''
    invoice.payments = [paid(app, `${'12'.repeat(32)}-0`, due, 'Processing')]
    expect(await look(purchase)).toMatchObject({ status: 'processing' })
    await passExpiry(app)
    // It was raised twice between two questions.
    invoice.payments = [
      paid(app, `${'56'.repeat(32)}-0`, due, 'Invalid'),
      paid(app, `${'34'.repeat(32)}-1`, due, 'Settled'),
    ]
    expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
  })

  it('does not take an answer without a list of payments for an empty list', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    invoice.payments = [paid(app, 'off-chain-1', purchase.payment_amount ?? '', 'Settled')]
    expect(await look(purchase)).toMatchObject({ status: 'completed' })
    gateway.fault = ({ path }) =>
      path.endsWith('/payment-methods') ? { status: 200, text: '[{"paymentMethodId":"x"}]' } : null
    expect(await look(purchase)).toMatchObject({ status: 'completed' })
    expect(app.complaints.splice(0).length).toBeGreaterThan(0)
  })

  it('fails a purchase whose invoice is marked invalid, and owes back what came', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const invoice = gateway.invoiceOf(purchase.id)
    invoice.payments = [paid(app, 'off-chain-2', '0.00000007', 'Settled')]
    Object.assign(invoice, { status: 'Invalid', additionalStatus: 'Marked' })
    expect(await look(purchase)).toMatchObject({ status: 'failed' })
    expect(await refundsOf(app, purchase)).toEqual([{ amount: 7n, why: 'failed' }])
  })

  it('does not let a purchase expire whose last question brought the money', async () => {
    const other = await aPurchase(app, buyer, { token: 'btc' })
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    await look(purchase)
    gateway.invoiceOf(purchase.id).payments = [
      paid(app, `${'ef'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'),
    ]
    await app.passTime(app.services.sale.purchases.expireAfterMs + 1_000)
    // So does every loop of every instance meanwhile.
    await amidReading(other, 'ef'.repeat(32), () => settleDue(app.services))
    expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'completed' })
    expect(await mailsOf(app, purchase)).toEqual(['purchase_created', 'purchase_completed'])
  })

  it('keeps what a late payment bought while another one is still to be recorded', async () => {
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const { payments } = gateway.invoiceOf(purchase.id)
    await passExpiry(app)
    payments.push(paid(app, `${'1a'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
    const credited = { status: 'completed', status_reason: 'late' }
    expect(await look(purchase)).toMatchObject(credited)
    payments.push(paid(app, `${'2b'.repeat(32)}-0`, '0.00000007', 'Settled'))
    const other = await aPurchase(app, buyer, { token: 'btc' })
    await amidReading(other, '2b'.repeat(32), async () => {
      const settled = app.open.database.transaction()
      await settled.execute((transaction) => requestSettlements(transaction, [purchase.id]))
      await settleDue(app.services)
      expect(await lookAt(app, buyer, purchase)).toMatchObject(credited)
    })
  })

  it('leaves alone what it cannot ask about, and lists what the gateway does not know', async () => {
    const { id } = await aPurchase(app, buyer, { token: 'btc' })
    const version = async () =>
      (await sql`select xmin from purchases where id = ${id}`.execute(app.open.database)).rows
    const unknown = async () => {
      const query = { kind: 'lost_payment' as const }
      return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
    }
    const booked = await version()
    gateway.fault = () => ({ status: 502, text: '<html>bad gateway</html>' })
    await passExpiry(app)
    gateway.fault = null
    gateway.invoices.delete(gateway.invoiceOf(id).id)
    expect(await unknown()).toEqual([])
    for (let times = 0; times < 2; times += 1) await passExpiry(app)
    expect(await version()).toEqual(booked)
    expect(await unknown()).toMatchObject([{ purchase_id: id }])
    const [item] = await unknown()
    const away = { kind: 'lost_payment' as const, id: item?.id ?? '', reason: 'Nobody knows it' }
    const { refusal } = await app.client.call(
      consoleContract.closeInboxItem,
      { body: away },
      operator,
    )
    expect(refusal.errors).toMatchObject([{ path: 'id' }])
    const failed = { params: { id }, headers: named, body: { reason: 'Its invoice was deleted' } }
    expect((await app.client.call(operatorContract.failPurchase, failed, operator)).status).toBe(
      200,
    )
    expect(await unknown()).toEqual([])
    app.complaints.splice(0)
  })

  it('finds the invoice whose answer was lost, and makes no second one', async () => {
    let lost = 0
    const before = gateway.invoices.size
    gateway.fault = ({ method, body }) => {
      if (method !== 'POST') return null
      lost += 1
      const { metadata, amount } = JSON.parse(body)
      gateway.invoices.set('LostInvoice', {
        id: 'LostInvoice',
        orderId: metadata.orderId,
        amount,
        currency: 'BTC',
        code: 'BTC-CHAIN',
        speedPolicy: 'HighSpeed',
        status: 'New',
        additionalStatus: 'None',
        payments: [],
      })
      return 'silence'
    }
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    expect(purchase).toMatchObject({
      payment_id: 'LostInvoice',
      payment_address: 'bc1qlostinvoice',
    })
    expect(lost).toBe(1)
    expect(gateway.invoices.size).toBe(before + 1)
  })
})

it('a coin that the sale takes later stays owed back as it was recorded', async () => {
  const gateway = await startBtcpay()
  const btc = atGateway('btcpay', 'BTC-CHAIN')
  const app = await startGatewayApp([btc], { btcpay: gateway.url })
  const purchase = await aPurchase(app, await aUser(app), { token: 'btc' })
  const invoice = gateway.invoiceOf(purchase.id)
  invoice.code = 'XMR-CHAIN'
  invoice.payments = [paid(app, 'off-chain', '1.5', 'Settled')]
  await watchChains(app.services)
  const owed = [{ amount: 1_500_000_000_000_000_000n, why: 'wrong_asset' }]
  expect(await refundsOf(app, purchase)).toEqual(owed)
  const xmr = atGateway('btcpay', 'XMR-CHAIN', { id: 'xmr', name: 'Monero', decimals: 12 })
  const later = await startGatewayApp([btc, xmr], { btcpay: gateway.url }, { open: app.open })
  await keepTime(app, later)
  await passExpiry(later)
  expect(await refundsOf(app, purchase)).toEqual(owed)
  await expectInvariants(app)
  for (const each of [later, app]) await each.close()
  await gateway.stop()
})
