import { afterEach, describe, expect, test } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import { startNowpayments } from '#tests/kit/servers/nowpayments-server.ts'
import type { PlayedServer } from '#tests/kit/servers/played-server.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function chainOf({ client }: TestApp) {
  const { body } = await client.call(operatorContract.getSaleState, {}, operator)
  return body.chains[0]
}

test.each([
  ['nowpayments', 'btc', startNowpayments],
  ['btcpay', 'BTC-CHAIN', startBtcpay],
] as const)(
  'the status says that %s does not answer, or not to this key, before anybody buys',
  async (rail, code, startServer) => {
    const gateway = await startServer()
    closers.push(() => gateway.stop())
    const app = await startGatewayApp([atGateway(rail, code)], { [rail]: gateway.url })
    closers.push(() => app.close())
    const watchAfter = async (ms: number) => {
      await app.passTime(ms)
      await watchChains(app.services)
      return await chainOf(app)
    }
    gateway.fault = () => 'silence'
    expect(await watchAfter(0)).toMatchObject({
      fault: expect.stringMatching(/\w/),
      read_through_date: null,
      read_seconds_ago: null,
    })
    gateway.fault = () => ({ status: 403, text: '{"message":"This key is not valid"}' })
    expect(await watchAfter(60_000)).toMatchObject({
      fault: expect.stringContaining('This key is not valid'),
      read_seconds_ago: null,
    })
    gateway.fault = () => ({ status: 404, text: '<html>Not found</html>' })
    expect(await watchAfter(60_000)).toMatchObject({ fault: expect.stringContaining('404') })
    // An account may lack what is asked for.
    gateway.fault = () => ({ status: 404, text: '{"message":"No such thing"}' })
    expect(await watchAfter(60_000)).toMatchObject({ fault: null, read_seconds_ago: 0 })

    gateway.fault = null
    expect(await watchAfter(60_000)).toMatchObject({ fault: null, read_seconds_ago: 0 })
    gateway.calls.splice(0)
    expect(await watchAfter(10_000)).toMatchObject({ fault: null })
    expect(gateway.calls.filter(({ path }) => !path.endsWith('/health'))).toEqual([])

    gateway.fault = () => 'silence'
    expect(await watchAfter(60_000)).toMatchObject({ fault: expect.stringMatching(/\w/) })
    gateway.fault = null
    await refreshPrices(app.services)
    await aPurchase(app, await aUser(app), { token: 'btc' })
    expect(await chainOf(app)).toMatchObject({ fault: null })
  },
)

describe('what fails about payments stays in the status although everything else is answered', () => {
  const startWith = async (rail: 'nowpayments' | 'btcpay', gateway: PlayedServer, code: string) => {
    closers.push(() => gateway.stop())
    const pace = { everyMs: 0, pauseMs: 0, pauseMaxMs: 0, recheckMs: 300_000 }
    const app = await startGatewayApp([atGateway(rail, code)], { [rail]: gateway.url }, { pace })
    closers.push(() => app.close())
    await refreshPrices(app.services)
    return app
  }
  const watchFor = async (app: TestApp, minutes: number) => {
    const faults = new Set()
    for (let minute = 0; minute < minutes; minute += 1) {
      await watchChains(app.services)
      faults.add((await chainOf(app))?.fault)
      await app.passTime(60_000)
    }
    return [...faults]
  }

  test('until a question about one is answered', async () => {
    const gateway = await startNowpayments()
    const app = await startWith('nowpayments', gateway, 'btc')
    await aPurchase(app, await aUser(app), { token: 'btc' })
    const text = '{"message":"Payments rest"}'
    gateway.fault = ({ path }) => (path.startsWith('/payment/') ? { status: 503, text } : null)
    expect(await watchFor(app, 8)).toEqual([expect.stringContaining('Payments rest')])
    gateway.fault = null
    await app.passTime(300_000)
    expect(await watchFor(app, 1)).toEqual([null])
  })

  test('until one is made, where the key may only look', async () => {
    const gateway = await startBtcpay()
    const app = await startWith('btcpay', gateway, 'BTC-CHAIN')
    const buyer = await aUser(app)
    expect(await watchFor(app, 1)).toEqual([null])
    const text = '{"message":"Missing permission"}'
    gateway.fault = ({ method }) => (method === 'POST' ? { status: 403, text } : null)
    expect(await tryToBuy(app, buyer, { token: 'btc' })).toMatchObject({ status: 503 })
    expect(await watchFor(app, 4)).toEqual([expect.stringContaining('Missing permission')])
    gateway.fault = null
    await refreshPrices(app.services)
    await aPurchase(app, buyer, { token: 'btc' })
    expect(await watchFor(app, 1)).toEqual([null])
  })
})
