import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mailsOf,
  passExpiry,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { type BtcpayServer, startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import type { TestDatabase } from '#tests/kit/servers/database.ts'
import { keepTime, type TestApp } from '#tests/kit/servers/start-app.ts'

let gateway: BtcpayServer
let app: TestApp
let buyer: RegisteredUser

beforeAll(async () => {
  gateway = await startBtcpay()
  app = await start()
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

const start = (open?: TestDatabase) =>
  startGatewayApp(
    [atGateway('btcpay', 'BTC-CHAIN')],
    { btcpay: gateway.url },
    open === undefined ? {} : { open },
  )
/** Another server, which remembers nothing of what the first one has seen. */
const startAnother = async () => await keepTime(app, await start(app.open))

async function watchAfter(ms: number, server = app): Promise<void> {
  await app.passTime(ms)
  if (server !== app) server.clock.pass(ms)
  await watchChains(server.services)
}
async function look(purchase: Transaction) {
  await watchChains(app.services)
  return await lookAt(app, buyer, purchase)
}
const paid = (id: string, value: string, status: string) => ({
  id,
  value,
  status,
  receivedDate: Math.floor(app.clock.now().getTime() / 1000),
})

it('expires nothing before BTCPay Server has caught up with its chain, and a minute longer', async () => {
  const paidLate = await aPurchase(app, buyer, { token: 'btc' })
  const seen = await aPurchase(app, buyer, { token: 'btc' })
  const never = await aPurchase(app, buyer, { token: 'btc' })
  await look(never)
  gateway.isSynchronized = false
  const pay = (purchase: Transaction, hash: string) =>
    gateway
      .invoiceOf(purchase.id)
      .payments.push(paid(`${hash.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
  await app.passTime(10_000)
  pay(seen, '5a')
  expect(await look(seen), 'what it knows is credited').toMatchObject({ status: 'completed' })
  await passExpiry(app)
  expect(await look(paidLate)).toMatchObject({ status: 'pending' })
  expect(app.services.rails.get('btcpay')?.health?.('btcpay').fault).toContain('behind its chain')
  gateway.isSynchronized = true
  await app.passTime(10_000)
  expect(await look(paidLate)).toMatchObject({ status: 'pending' })
  pay(paidLate, '7e')
  await app.passTime(40_000)
  expect(await look(paidLate)).toMatchObject({ status: 'completed', status_reason: null })
  expect(await look(never)).toMatchObject({ status: 'pending' })
  await passExpiry(app)
  expect(await look(never)).toMatchObject({ status: 'expired' })
})

it.each([
  ['does not say', 403, '<html>403</html>'],
  ['has another coin that is behind for an hour', 200, '{"synchronized":false}'],
])('expires what is not paid where BTCPay Server %s', async (_, status, text) => {
  gateway.fault = ({ path }) => (path.endsWith('/health') ? { status, text } : null)
  const { id } = await aPurchase(app, buyer, { token: 'btc' })
  // Longer than the buyer's session.
  for (let minutes = 0; minutes < 65; minutes += 1) {
    await app.passTime(58_000)
    await watchChains(app.services)
  }
  await passExpiry(app)
  const purchase = app.open.database.selectFrom('purchases').select('status').where('id', '=', id)
  expect(await purchase.executeTakeFirst()).toEqual({ status: 'expired' })
  gateway.fault = null
  buyer = await aUser(app)
  await passExpiry(app)
  await passExpiry(app)
})

it('expires what is not paid soon after a clock that was ahead is right again', async () => {
  gateway.isSynchronized = false
  await watchAfter(120 * 60_000)
  gateway.isSynchronized = true
  await watchAfter(10_000)
  await app.passTime(-120 * 60_000)
  const purchase = await aPurchase(app, buyer, { token: 'btc' })
  for (let times = 0; times < 3; times += 1) await passExpiry(app)
  expect(await look(purchase)).toMatchObject({ status: 'expired' })
  buyer = await aUser(app)
})

it('expires nothing as BTCPay Server comes back from an outage and is still behind', async () => {
  const { id } = await aPurchase(app, buyer, { token: 'btc' })
  gateway.isSynchronized = false
  await app.passTime(10_000)
  await watchChains(app.services)
  gateway.fault = () => ({ status: 502, text: '<html>bad gateway</html>' })
  await app.passTime(70 * 60_000)
  await watchChains(app.services)
  gateway.fault = null
  await app.passTime(60_000)
  await watchChains(app.services)
  const purchase = app.open.database.selectFrom('purchases').select('status').where('id', '=', id)
  expect(await purchase.executeTakeFirst()).toEqual({ status: 'pending' })
  gateway.isSynchronized = true
  app.complaints.splice(0)
  buyer = await aUser(app)
  for (let times = 0; times < 3; times += 1) await passExpiry(app)
  expect(await purchase.executeTakeFirst()).toEqual({ status: 'expired' })
})

it('gives BTCPay Server a minute from when it says that it has caught up, also after an outage', async () => {
  const purchase = await aPurchase(app, buyer, { token: 'btc' })
  gateway.isSynchronized = false
  await app.passTime(10_000)
  await watchChains(app.services)
  gateway.fault = () => ({ status: 502, text: '<html>bad gateway</html>' })
  await app.passTime(70_000)
  await watchChains(app.services)
  gateway.fault = null
  gateway.isSynchronized = true
  await app.passTime(60_000)
  await watchChains(app.services)
  app.complaints.splice(0)
  gateway
    .invoiceOf(purchase.id)
    .payments.push(paid(`${'3c'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
  await app.passTime(20_000)
  expect(await look(purchase)).toMatchObject({ status: 'completed', status_reason: null })
  await app.passTime(60_000)
  await watchChains(app.services)
  expect(app.services.rails.get('btcpay')?.health?.('btcpay').fault).toBeNull()
})

it.each([
  ['both servers were stopped', 'stopped', '1e', '3e'],
  ['both were stopped, and it answers a little later', 'slow', '8c', '9d'],
  ['BTCPay Server did not answer', 'silent', '2e', '4e'],
])('counts what was paid while %s from the last answer before', async (_, how, one, another) => {
  const isOwnStopped = how !== 'silent'
  buyer = await aUser(app)
  await refreshPrices(app.services)
  const kept = await aPurchase(app, buyer, { token: 'btc' })
  const found = await aPurchase(app, buyer, { token: 'btc' })
  const never = await aPurchase(app, buyer, { token: 'btc' })
  await watchChains(app.services)
  if (!isOwnStopped) {
    gateway.fault = () => ({ status: 502, text: '<html>bad gateway</html>' })
    await watchAfter(10_000)
  }
  await app.passTime(120_000)
  const pay = (purchase: Transaction, hash: string) =>
    gateway
      .invoiceOf(purchase.id)
      .payments.push(paid(`${hash.repeat(32)}-0`, purchase.payment_amount ?? '', 'Settled'))
  // BTCPay Server has caught up meanwhile, and dates what it finds when it finds it.
  pay(kept, one)
  gateway.fault = null
  const later = isOwnStopped ? await startAnother() : app
  if (how === 'slow') {
    gateway.fault = ({ path }) => (path.endsWith('/health') ? { status: 502, text: '' } : null)
    await watchChains(later.services)
    gateway.fault = null
    await watchAfter(10_000, later)
  }
  await watchChains(later.services)
  expect(await lookAt(app, buyer, kept)).toMatchObject({ status: 'completed', status_reason: null })
  expect(await lookAt(app, buyer, never)).toMatchObject({ status: 'pending' })
  expect(later.services.rails.get('btcpay')?.health?.('btcpay').fault).toBeNull()
  await watchAfter(30_000, later)
  pay(found, another)
  await watchAfter(20_000, later)
  expect(await lookAt(app, buyer, found)).toMatchObject({
    status: 'completed',
    status_reason: null,
  })
  for (let times = 0; times < 2; times += 1) await watchAfter(60_000, later)
  expect(await lookAt(app, buyer, never)).toMatchObject({ status: 'expired' })
  app.complaints.splice(0)
  if (isOwnStopped) await later.close()
})

it('keeps the newer of two answers that come in the wrong order while BTCPay Server is behind', async () => {
  buyer = await aUser(app)
  await refreshPrices(app.services)
  gateway.isSynchronized = false
  await watchAfter(10_000)
  const beside = await startAnother()
  const purchase = await aPurchase(app, buyer, { token: 'btc' })
  const invoice = gateway.invoiceOf(purchase.id)
  const asked = Promise.withResolvers<null>()
  const arrived = Promise.withResolvers<null>()
  gateway.fault = async (call) => {
    if (!call.path.endsWith(`/${invoice.id}/payment-methods`)) return null
    gateway.fault = null
    const older = gateway.play(call)
    asked.resolve(null)
    await arrived.promise
    return older
  }
  const reading = watchChains(app.services)
  await asked.promise
  invoice.payments.push(paid(`${'5e'.repeat(32)}-0`, purchase.payment_amount ?? '', 'Processing'))
  const hint = { eventId: 'newer', paymentId: invoice.id, parentId: null, orderId: purchase.id }
  await beside.services.rails.get('btcpay')?.webhook?.follow(hint)
  beside.clock.pass(1_000)
  await watchChains(beside.services)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({ status: 'processing' })
  arrived.resolve(null)
  await reading
  expect(await look(purchase)).toMatchObject({ status: 'processing', receipts: [{}] })
  expect(await mailsOf(app, purchase)).toEqual(['purchase_created', 'purchase_processing'])
  gateway.isSynchronized = true
  await beside.close()
})
