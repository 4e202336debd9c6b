import { createOutgoing } from '#server/runtime/outgoing.ts'
import type { Outgoing } from '#server/ports/runtime.ts'
import { type PlayedAnswer, type PlayedServer, startPlayedServer } from './played-server.ts'
import type { TestClock } from './test-clock.ts'

export const FEEDS = ['coinbase', 'kraken', 'bitstamp', 'binance'] as const
export type FeedName = (typeof FEEDS)[number]

/** Dollars by symbol, as each feed reports them. */
type Dollars = Record<string, string>

/** Where the server looks for each feed. */
export const FEED_HOSTS: Record<string, FeedName> = {
  'api.coinbase.com': 'coinbase',
  'api.kraken.com': 'kraken',
  'www.bitstamp.net': 'bitstamp',
  'data-api.binance.vision': 'binance',
}

/** Simulates the documented replies of the public tickers; each may go wrong in its own way. */
export async function startPriceFeeds(clock: TestClock) {
  const dollars: Record<FeedName, Dollars> = {
    coinbase: { BTC: '50000', ETH: '2500.10', USDT: '0.999', BNB: '600' },
    kraken: { BTC: '50010.5', ETH: '2500', USDT: '1.001', BNB: '601' },
    bitstamp: { BTC: '49990', ETH: '2501', USDT: '1.000' },
    binance: { BTC: '50000', ETH: '2500', BNB: '600' },
  }
  const now = () => clock.now().getTime()
  const plays: Record<FeedName, () => unknown> = {
    coinbase: () => ({
      products: Object.entries(dollars.coinbase).map(([symbol, price]) => ({
        product_id: `${symbol}-USD`,
        price,
      })),
    }),
    kraken: () => ({
      error: [],
      result: Object.fromEntries(
        Object.entries(dollars.kraken).map(([symbol, price]) => [
          KRAKEN_PAIRS[symbol] ?? `${symbol}USD`,
          { a: [price, '1', '1.0'], b: [price, '1', '1.0'], c: [price, '0.1'] },
        ]),
      ),
    }),
    bitstamp: () =>
      Object.entries(dollars.bitstamp).map(([symbol, last]) => ({
        pair: `${symbol}/USD`,
        last,
        timestamp: String(Math.floor(now() / 1000)),
      })),
    binance: () =>
      Object.entries(dollars.binance).map(([symbol, lastPrice]) => ({
        symbol: `${symbol}USDT`,
        lastPrice,
        closeTime: now(),
      })),
  }
  const servers = new Map<FeedName, PlayedServer>()
  for (const name of FEEDS) {
    servers.set(
      name,
      await startPlayedServer((): PlayedAnswer => ({
        status: 200,
        text: JSON.stringify(plays[name]()),
      })),
    )
  }
  const serverOf = (name: FeedName) => {
    const server = servers.get(name)
    if (server === undefined) throw new Error(`There is no feed ${name}.`)
    return server
  }
  const send = createOutgoing()
  /** Redirects requests for a feed to its simulation; nothing leaves this machine. */
  const outgoing: Outgoing = async (call) => {
    const { host, pathname, search } = new URL(call.url)
    const name = FEED_HOSTS[host]
    if (name === undefined) throw new Error(`Nobody plays ${host}.`)
    return await send({ ...call, url: serverOf(name).url + pathname + search, withinMs: 500 })
  }
  return {
    dollars,
    serverOf,
    outgoing,
    async stop() {
      for (const server of servers.values()) await server.stop()
    },
  }
}

type PriceFeeds = Awaited<ReturnType<typeof startPriceFeeds>>

/** The settings of a server whose requests for these feeds go to our own servers. */
export function reroutedTo(feeds: PriceFeeds, names: readonly FeedName[]) {
  const routes = Object.entries(FEED_HOSTS)
    .filter(([, name]) => names.includes(name))
    .map(([host, name]) => [host, feeds.serverOf(name).url])
  return {
    PRICE_FEEDS: names.join(' '),
    REROUTED_HOSTS: JSON.stringify(Object.fromEntries(routes)),
    NODE_OPTIONS: `--import ${import.meta.resolve('#tests/kit/servers/reroute.ts')}`,
  }
}

const KRAKEN_PAIRS: Record<string, string> = {
  BTC: 'XXBTZUSD',
  ETH: 'XETHZUSD',
  USDT: 'USDTZUSD',
}
