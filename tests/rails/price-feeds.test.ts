import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { consoleContract } from '#contract/operator/console.ts'
import { saleContract } from '#contract/sale.ts'
import { type Price, price } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { secret } from '#server/payments/variables.ts'
import { createPriceFeeds } from '#server/prices/price-feeds.ts'
import { createOutgoing } from '#server/runtime/outgoing.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { aPurchase, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import {
  type PlayedAnswer,
  type PlayedServer,
  startPlayedServer,
} from '#tests/kit/servers/played-server.ts'
import { FEEDS, type FeedName, startPriceFeeds } from '#tests/kit/servers/price-feed-servers.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const MINUTE_MS = 60_000
const SETTINGS = { feeds: FEEDS, feedsMin: 2, outlierMillionths: 20_000, own: null }
const TOKEN = 'a-token-of-the-own-price-feed-0123'

let app: TestApp
let buyer: RegisteredUser
let feeds: Awaited<ReturnType<typeof startPriceFeeds>>

beforeEach(async () => {
  app = await startApp()
  feeds = await startPriceFeeds(app.clock)
  const { clock, log } = app.services
  app.services.priceSource = createPriceFeeds({
    settings: SETTINGS,
    outgoing: feeds.outgoing,
    clock,
    log,
  })
  buyer = await aUser(app)
  // What the sandbox priced at the start is too old by now.
  await nextMinute()
  await nextMinute()
  await nextMinute()
  app.complaints.splice(0)
})
afterEach(async () => {
  await app.close()
  await feeds.stop()
})

async function nextMinute(): Promise<void> {
  await app.passTime(MINUTE_MS)
  await refreshPrices(app.services)
}

async function priceOf(symbol: string) {
  const row = await app.open.database
    .selectFrom('prices')
    .selectAll()
    .where('symbol', '=', symbol)
    .executeTakeFirst()
  return { dollars: Number((row?.price ?? 0n) / 10n ** 9n) / 1000, sources: row?.sources ?? [] }
}

/** How often pages are told of new prices while `work` is done. */
async function countPriceEvents(work: () => Promise<void>): Promise<number> {
  const kinds: string[] = []
  const unsubscribe = app.services.live.subscribe(({ kind }) => kinds.push(kind))
  // Changes arrive in their order, so all before this one have.
  const catchUp = async () => {
    await notifyLive(app.open.database, [{ kind: 'stage' }])
    await vi.waitFor(() => expect(kinds.at(-1)).toBe('stage'))
  }
  await catchUp()
  kinds.splice(0)
  await work()
  await catchUp()
  unsubscribe()
  return kinds.filter((kind) => kind === 'prices').length
}

function fail(name: FeedName, fault: PlayedAnswer | (() => PlayedAnswer | null) | null) {
  feeds.serverOf(name).fault = typeof fault === 'function' ? fault : () => fault
}

describe('public tickers', () => {
  it('give the median, with the sources that each purchase keeps', async () => {
    // In dollars Binance's are 1.000 times as much, the agreed price of USDT.
    expect(await priceOf('BTC')).toMatchObject({ dollars: 50_000 })
    expect(await priceOf('USDT')).toMatchObject({ dollars: 1 })
    const purchase = await aPurchase(app, buyer, { token: 'btc' })
    const { price_sources: sources } = await app.open.database
      .selectFrom('purchases')
      .select('price_sources')
      .where('id', '=', purchase.id)
      .executeTakeFirstOrThrow()
    expect(sources.map(({ feed }) => feed).toSorted()).toEqual([...FEEDS].toSorted())
    expect(sources.find(({ feed }) => feed === 'kraken')).toMatchObject({
      price: '50010500000000000',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  it('do not take a Tether for a dollar', async () => {
    for (const name of ['coinbase', 'kraken', 'bitstamp'] as const) {
      feeds.dollars[name]['USDT'] = '0.95'
    }
    feeds.dollars.binance['BTC'] = '52631.58'
    await nextMinute()
    expect(await priceOf('USDT')).toMatchObject({ dollars: 0.95 })
    const { sources } = await priceOf('BTC')
    expect(Number(sources.find(({ feed }) => feed === 'binance')?.price) / 1e12).toBeCloseTo(
      50_000,
      0,
    )
  })

  const faults: [string, FeedName, () => void][] = [
    ['zero', 'kraken', () => (feeds.dollars.kraken['BTC'] = '0')],
    ['ten times as much', 'kraken', () => (feeds.dollars.kraken['BTC'] = '500000')],
    ['nonsense', 'kraken', () => (feeds.dollars.kraken['BTC'] = '-1')],
    ['HTML', 'kraken', () => fail('kraken', { status: 200, text: '<html>maintenance</html>' })],
    ['half an answer', 'kraken', () => fail('kraken', { status: 200, text: '{"error":[],"resu' })],
    [
      'an error of its own',
      'kraken',
      () => fail('kraken', { status: 200, text: '{"error":["E"]}' }),
    ],
    ['nothing', 'kraken', () => fail('kraken', 'silence')],
    [
      'far too much',
      'kraken',
      () => fail('kraken', { status: 200, text: `["${'x'.repeat(600_000)}"]` }),
    ],
    [
      'what a cache has kept',
      'coinbase',
      () =>
        fail('coinbase', {
          status: 200,
          text: '{"products":[{"product_id":"BTC-USD","price":"50000"}]}',
          headers: { age: '300' },
        }),
    ],
    [
      'a price of long ago',
      'bitstamp',
      () =>
        fail('bitstamp', {
          status: 200,
          text: '[{"pair":"BTC/USD","last":"50000","timestamp":"1600000000"}]',
        }),
    ],
  ]
  it.each(faults)('go on where one answers %s (%s)', async (_, name, makeFault) => {
    makeFault()
    await nextMinute()
    await nextMinute()
    const { dollars, sources } = await priceOf('BTC')
    expect(sources.map(({ feed }) => feed)).toEqual(
      expect.arrayContaining(FEEDS.filter((feed) => feed !== name)),
    )
    expect(sources).toHaveLength(3)
    expect(Math.abs(dollars - 50_000)).toBeLessThan(50)
    expect((await tryToBuy(app, buyer, { token: 'btc' })).status).toBe(201)
  })

  it('stop the sale for the one symbol that they disagree on, and begin again', async () => {
    feeds.dollars.coinbase['BTC'] = '40000'
    feeds.dollars.kraken['BTC'] = '50000'
    feeds.dollars.bitstamp['BTC'] = '60000'
    delete feeds.dollars.binance['BTC']
    for (let minute = 0; minute < 3; minute += 1) await nextMinute()
    const refused = await tryToBuy(app, buyer, { token: 'btc' })
    expect(refused.refusal).toMatchObject({ code: 503, reason: 'PriceStale' })
    expect((await tryToBuy(app, buyer, { token: 'eth' })).status).toBe(201)
    // It is logged once, and not each minute.
    expect(app.complaints.filter(({ facts }) => facts['symbol'] === 'BTC')).toHaveLength(1)
    feeds.dollars.coinbase['BTC'] = '50000'
    await nextMinute()
    expect((await tryToBuy(app, buyer, { token: 'btc' })).status).toBe(201)
  })

  it('are asked again ten seconds after all of them failed once', async () => {
    for (const name of FEEDS) fail(name, 'silence')
    await nextMinute()
    app.complaints.splice(0)
    for (const name of FEEDS) fail(name, null)
    for (const name of FEEDS) feeds.dollars[name]['BTC'] = '51000'
    await app.passTime(10_000)
    await refreshPrices(app.services)
    expect(await priceOf('BTC')).toMatchObject({ dollars: 51_000 })
  })

  it('are asked again after ten seconds, if they failed, where one coin alone has no price', async () => {
    const { services } = app
    const taken = ['BTC', 'BNB']
    const paymentTokens = services.sale.paymentTokens.filter(({ symbol }) => taken.includes(symbol))
    services.sale = { ...services.sale, paymentTokens }
    delete feeds.dollars.binance['BNB']
    const { calls } = feeds.serverOf('coinbase')
    const inTenSeconds = async () => {
      await app.passTime(10_000)
      await refreshPrices(services)
    }
    fail('kraken', 'silence')
    await nextMinute()
    await nextMinute()
    const before = calls.length
    const whileMissing = await countPriceEvents(async () => {
      for (let round = 0; round < 3; round += 1) await inTenSeconds()
    })
    expect(whileMissing, 'pages are not sent what they know').toBe(0)

    fail('kraken', null)
    feeds.dollars.kraken['BNB'] = '602'
    expect(await countPriceEvents(inTenSeconds)).toBe(1)
    expect(await priceOf('BNB')).toMatchObject({ dollars: 601 })
    expect((await tryToBuy(app, buyer, { token: 'bnb' })).status).toBe(201)
    expect(calls.length, 'who has answered is left alone').toBe(before)
    app.complaints.splice(0)
  })

  it('leave the later prices of another instance in place, and pages are told nothing', async () => {
    const { services, clock } = app
    const taken = ['BTC', 'BNB']
    const paymentTokens = services.sale.paymentTokens.filter(({ symbol }) => taken.includes(symbol))
    services.sale = { ...services.sale, paymentTokens }
    for (const name of ['binance', 'kraken'] as const) delete feeds.dollars[name]['BNB']
    const priceSource = createPriceFeeds({
      settings: SETTINGS,
      outgoing: feeds.outgoing,
      clock,
      log: services.log,
    })
    const another = { ...services, priceSource }
    await nextMinute()
    const inTenSeconds = async (instance: typeof services, dollars: string) => {
      for (const name of FEEDS) feeds.dollars[name]['BTC'] = dollars
      await app.passTime(10_000)
      await refreshPrices(instance)
    }
    await inTenSeconds(another, '51000')
    expect(await priceOf('BTC')).toMatchObject({ dollars: 51_000 })
    expect(await countPriceEvents(() => inTenSeconds(services, '51000'))).toBe(0)
    expect(await priceOf('BTC')).toMatchObject({ dollars: 51_000 })
    for (let round = 0; round < 4; round += 1) await inTenSeconds(services, '52000')
    expect(await priceOf('BTC'), 'what it reads later counts').toMatchObject({ dollars: 52_000 })
    app.complaints.splice(0)
  })

  it('are asked at once for a symbol that they were never asked for', async () => {
    const { priceSource, sale } = app.services
    const symbols = async (tokens: readonly PaymentToken[]) => [
      ...(await priceSource.fetchPrices(tokens)).keys(),
    ]
    const [bitcoin] = sale.paymentTokens.filter(({ symbol }) => symbol === 'BTC')
    if (bitcoin === undefined) throw new Error('The sale does not take BTC.')
    for (const name of ['coinbase', 'kraken'] as const) feeds.dollars[name]['LINK'] = '2'
    const { calls } = feeds.serverOf('coinbase')
    const before = calls.length
    const more = [...sale.paymentTokens, { ...bitcoin, id: 'link', symbol: 'LINK' }]
    expect(await symbols(more)).toContain('LINK')
    expect(await symbols(more)).toContain('LINK')
    expect(calls.length).toBe(before + 1)
  })

  it('are asked at once where the clock was ahead, and is right again', async () => {
    await app.passTime(60 * MINUTE_MS)
    await refreshPrices(app.services)
    for (const name of FEEDS) feeds.dollars[name]['BTC'] = '51000'
    await app.passTime(-60 * MINUTE_MS)
    await nextMinute()
    expect(await priceOf('BTC')).toMatchObject({ dollars: 51_000 })
    expect((await tryToBuy(app, buyer, { token: 'btc' })).status).toBe(201)
  })

  it('are asked once a minute, and ever less where one limits the rate', async () => {
    const { calls } = feeds.serverOf('coinbase')
    const before = calls.length
    await refreshPrices(app.services)
    await app.services.priceSource.fetchPrices(app.services.sale.paymentTokens)
    expect(calls.length).toBe(before)
    fail('coinbase', { status: 429, text: '', headers: { 'retry-after': '240' } })
    for (let minute = 0; minute < 4; minute += 1) await nextMinute()
    expect(calls.length).toBe(before + 1)
    await nextMinute()
    expect(calls.length).toBe(before + 2)
  })
})

describe('a price feed of the seller’s own', () => {
  let own: PlayedServer
  let answer: unknown
  beforeEach(async () => {
    own = await startPlayedServer(({ headers }) =>
      headers.authorization === `Bearer ${TOKEN}`
        ? { status: 200, text: typeof answer === 'string' ? answer : JSON.stringify(answer) }
        : { status: 401, text: '{}' },
    )
    answer = { prices: { HUH: { usd: '0.0123' }, BTC: { usd: 50_020 } } }
  })
  afterEach(() => own.stop())

  /** Prices by the public feeds and by that one, of BTC and of a coin that no exchange lists. */
  function sourceOf(priceFrom: PaymentToken['priceFrom'], price: Price | null = null) {
    const { clock, log, sale } = app.services
    const [ether] = sale.paymentTokens
    if (ether === undefined) throw new Error('The sale takes nothing.')
    const huh = { ...ether, id: 'huh', symbol: 'HUH', priceFrom, fixedPrice: price }
    app.services.sale = {
      ...sale,
      paymentTokens: [...sale.paymentTokens.filter(({ id }) => id !== 'huh'), huh],
    }
    const send = createOutgoing()
    app.services.priceSource = createPriceFeeds({
      settings: {
        ...SETTINGS,
        own: { url: `${own.url}/v1/prices?of=coins`, token: secret(TOKEN) },
      },
      outgoing: (call) =>
        call.url.startsWith(own.url) ? send({ ...call, withinMs: 500 }) : feeds.outgoing(call),
      clock,
      log,
    })
  }

  it('gives the price alone where the sale file says so, and says that it does', async () => {
    sourceOf('own')
    await nextMinute()
    expect(await priceOf('HUH')).toMatchObject({ dollars: 0.012, sources: [{ feed: 'own' }] })
    expect(own.calls.at(-1)?.path).toMatch(/^\/v1\/prices\?of=coins&symbols=[\w%]*HUH/)
    const purchase = await aPurchase(app, buyer, { token: 'huh' })
    expect(purchase).toMatchObject({
      price_sources: ['own'],
      payment_token: { price_from: 'own', test_network: null },
    })
  })

  it('is one more that has to agree where the others know the coin too', async () => {
    sourceOf('own')
    await nextMinute()
    const { sources } = await priceOf('BTC')
    expect(sources.map(({ feed }) => feed).toSorted()).toEqual([...FEEDS, 'own'].toSorted())
    answer = { prices: { BTC: { usd: '70000' } } }
    await nextMinute()
    const without = await priceOf('BTC')
    expect(without.dollars).toBe(50_000)
    expect(without.sources.map(({ feed }) => feed)).not.toContain('own')
  })

  it('is not enough by itself for a coin that has to be agreed on', async () => {
    sourceOf('feeds')
    await nextMinute()
    expect((await priceOf('HUH')).sources).toEqual([])
    expect(app.complaints.splice(0).map(({ facts }) => facts['symbol'])).toContain('HUH')
  })

  it.each([
    ['nothing', 'silence'],
    ['no JSON', 'prices'],
    ['another form', { HUH: '0.0123' }],
    ['a price of nothing', { prices: { HUH: { usd: '0' } } }],
    ['less than nothing', { prices: { HUH: { usd: '-1' } } }],
    ['no number', { prices: { HUH: { usd: 'NaN' } } }],
    ['a price of long ago', { prices: { HUH: { usd: '1', at: '2020-01-01T00:00:00Z' } } }],
    ['no instant', { prices: { HUH: { usd: '1', at: 'today' } } }],
  ])('that answers %s gives no price, and the coin cannot be bought', async (_, given) => {
    sourceOf('own')
    if (given === 'silence') own.fault = () => 'silence'
    answer = given
    for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute()
    expect((await tryToBuy(app, buyer, { token: 'huh' })).refusal.reason).toBe('PriceStale')
    expect(await priceOf('BTC')).toMatchObject({ dollars: 50_000 })
    app.complaints.splice(0)
  })

  it('is not asked for a coin whose price the sale file sets, to the last digit', async () => {
    sourceOf('fixed', price(12_345_678_901n))
    await nextMinute()
    expect(own.calls.at(-1)?.path).not.toContain('HUH')
    const purchase = await aPurchase(app, buyer, { token: 'huh' })
    expect(purchase).toMatchObject({
      price_sources: ['fixed'],
      payment_token: { price_from: 'fixed' },
    })
    expect(Number(purchase.payment_amount)).toBeCloseTo(100 / 0.012345678901, 4)
    for (const name of FEEDS) fail(name, 'silence')
    own.fault = () => 'silence'
    for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute()
    expect((await aPurchase(app, buyer, { token: 'huh' })).price_sources).toEqual(['fixed'])
    app.complaints.splice(0)
  })

  it('gives way to the price of another sale file at once, before any price is fetched', async () => {
    const due = async () => Number((await aPurchase(app, buyer, { token: 'huh' })).payment_amount)
    sourceOf('fixed', price(12n * 10n ** 12n))
    await nextMinute()
    expect(await due()).toBeCloseTo(100 / 12, 4)
    sourceOf('fixed', price(12n * 10n ** 11n))
    expect(await due()).toBeCloseTo(100 / 1.2, 4)
    expect((await app.client.call(saleContract.getPrices, {})).body['HUH']).toEqual({ USD: 1.2 })

    const minimum = { params: { id: 'huh' } }
    const isAvailable = async () =>
      (await app.client.call(saleContract.getTokenMinimum, minimum)).body.is_available
    sourceOf('own')
    expect((await tryToBuy(app, buyer, { token: 'huh' })).refusal.reason).toBe('PriceStale')
    expect(await isAvailable()).toBe(false)
    await nextMinute()
    expect(await due()).toBeCloseTo(100 / 0.0123, 4)
    sourceOf('feeds')
    expect((await tryToBuy(app, buyer, { token: 'huh' })).refusal.reason).toBe('PriceStale')
    expect(await isAvailable()).toBe(false)
  })

  it('that has not answered yet leaves a coin without a price, for operators as for buyers', async () => {
    const shown = async () => {
      const { feeds: all } = (await app.client.call(consoleContract.getOverview, {}, operator)).body
      return all.find(({ symbol }) => symbol === 'HUH')
    }
    const listWaiting = async () => {
      const query = { kind: 'feed' as const }
      const { data } = (await app.client.call(consoleContract.listInbox, { query }, operator)).body
      return data.map(({ id }) => id)
    }
    sourceOf('fixed', price(12n * 10n ** 12n))
    await nextMinute()
    expect(await shown()).toMatchObject({ price: '12', is_fresh: true })
    expect(await listWaiting()).not.toContain('HUH')
    sourceOf('own')
    expect(await shown()).toMatchObject({ price: null, is_fresh: false })
    expect(await listWaiting()).toContain('HUH')
    sourceOf('fixed', price(13n * 10n ** 12n))
    expect(await shown()).toMatchObject({ price: '13', is_fresh: true })
  })
})
