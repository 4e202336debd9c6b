import { afterAll, beforeAll, expect, test } from 'vitest'

import { recordChains, watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectAllWell, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { listRefunds, payRefund } from '#tests/kit/builders/an-operator.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { type NowpaymentsServer, startNowpayments } from '#tests/kit/servers/nowpayments-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

let gateway: NowpaymentsServer
let app: TestApp
beforeAll(async () => {
  gateway = await startNowpayments()
  const usdt = atGateway('nowpayments', 'usdterc20', {
    id: 'usdt',
    symbol: 'USDT',
    chain: 'ERC20',
    decimals: 6,
    fixedPrice: (10n ** 12n) as never,
  })
  const ltc = atGateway('nowpayments', 'ltc', { id: 'ltc', symbol: 'LTC', chain: 'LTC' })
  const tokens = [atGateway('nowpayments', 'btc'), usdt, ltc]
  app = await startGatewayApp(tokens, { nowpayments: gateway.url })
})
afterAll(async () => {
  await expectAllWell(app)
  await app.close()
  await gateway.stop()
})

test.each([
  ['btc', 'bnb', `0x${'ab'.repeat(32)}`],
  ['btc', 'xmr', 'ef'.repeat(32), 'EF'.repeat(32)],
  ['usdt', 'xmr', 'cd'.repeat(32)],
  ['usdt', 'sol', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9Cos'.repeat(2)],
])(
  'of a purchase in %s, a refund in %s is recorded by a transaction of that chain',
  async (token, currency, hash, typed = hash) => {
    const purchase = await aPurchase(app, await aUser(app), { token })
    gateway.addDeposit(gateway.paymentOf(purchase.id), { currency, actuallyPaid: '0.05' })
    await watchChains(app.services)
    await watchChains(app.services)
    const owed = (await listRefunds(app)).data.find((each) => each.purchase_id === purchase.id)
    expect(await payRefund(app, owed?.receipt_id ?? '', ` ${typed}\n`)).toMatchObject({
      state: 'paid',
      amount: '0.05',
      paid_hash: hash,
    })
  },
)

test('a server whose sale file lacks a coin yet leaves payments in it to the others', async () => {
  const { services } = app
  const paymentTokens = services.sale.paymentTokens.filter(({ id }) => id !== 'ltc')
  const sale = { ...services.sale, paymentTokens }
  const rails = await services.saleFiles.buildRails(sale)
  const stale = { ...services, sale, rails, saleFileId: services.saleFileId - 1n }

  const buyer = await aUser(app)
  const purchase = await aPurchase(app, buyer, { token: 'ltc' })
  const actuallyPaid = purchase.payment_amount ?? ''
  Object.assign(gateway.paymentOf(purchase.id), { status: 'finished', actuallyPaid })
  await recordChains(stale)
  await watchChains(services)
  expect(await lookAt(app, buyer, purchase)).toMatchObject({
    status: 'completed',
    status_reason: null,
  })
})
