import { HDKey } from '@scure/bip32'
import { randomUUID } from 'node:crypto'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { type Coin, coins } from '#server/payments/utxo/coins.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPaymentToken, dollars, priced } from '#tests/kit/builders/domain-builders.ts'
import { CONFIRMATIONS, onTokens } from './evm-app.ts'
import { regtest } from './litecoind.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts'

export type CoinSymbol = (typeof coins)[number]['symbol']

/** Accounts' extended public keys as wallets write them. */
export function utxoAccountKey(symbol: CoinSymbol, seed: string): string {
  const root = HDKey.fromMasterSeed(Buffer.from(seed.padEnd(32, '.')))
  return root.derive(coinNamed(symbol).path).publicExtendedKey
}

const REGTEST_GENESIS = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'

/**
 * Makes a node with a test chain pass for one on a coin's own network: they differ only in the
 * chain's name, its first block and its addresses, and in having no peers. A node whose network is
 * switched off stays alone.
 */
export async function playMainnet(symbol: CoinSymbol, nodeUrl: string): Promise<RpcProxy> {
  return await playNetwork(coinNamed(symbol), nodeUrl)
}

/** The same for any network of a coin. */
export async function playNetwork(
  { genesis, nodeNetwork }: Coin,
  nodeUrl: string,
): Promise<RpcProxy> {
  return await startRpcProxy(nodeUrl, {
    call: (text) =>
      text
        .replaceAll(genesis, REGTEST_GENESIS)
        .replace(
          /("validateaddress","params":\[")(\w+)/,
          (_, before: string, address: string) => `${before}${regtest(address)}`,
        ),
    answer: (text) =>
      text
        .replaceAll(REGTEST_GENESIS, genesis)
        .replace('"chain":"regtest"', `"chain":"${nodeNetwork}"`)
        .replace('"networkactive":true,"connections":0', '"networkactive":true,"connections":1'),
  })
}

export function coinNamed(symbol: CoinSymbol): (typeof coins)[number] {
  const coin = coins.find((each) => each.symbol === symbol)
  if (coin === undefined) throw new Error(`There is no coin ${symbol}.`)
  return coin
}

type UtxoOptions = {
  /** By coin: where the node is, or several of them. */
  nodes: Partial<Record<CoinSymbol, string>>
  /** Further tokens, of other rails. */
  tokens?: readonly PaymentToken[]
  environment?: Record<string, string>
  expireAfterMs?: number
  /** Leaves the first reading of the chains to the test. */
  isUnread?: boolean
} & Pick<TestAppOptions, 'open' | 'pace'>

/** The whole server with a sale that takes these coins; their chains are read once. */
export async function startUtxoApp(options: UtxoOptions): Promise<TestApp> {
  const { nodes, tokens = [], environment, expireAfterMs = 1_800_000, open, pace } = options
  const urls = Object.entries(nodes) as [CoinSymbol, string][]
  const app = await startApp({
    changeSale: (sale) => ({
      ...onTokens(sale, [...urls.map(([symbol]) => aUtxoCoin(symbol)), ...tokens]),
      purchases: { ...sale.purchases, expireAfterMs },
    }),
    environment: {
      ...Object.fromEntries(
        urls.flatMap(([symbol, url]) => [
          // Fresh, so that no address of another test is known to its chain.
          [`${symbol}_XPUB`, utxoAccountKey(symbol, randomUUID())],
          [`${symbol}_RPC_URL`, url],
          [`${symbol}_CONFIRMATIONS`, String(CONFIRMATIONS)],
        ]),
      ),
      ...environment,
    },
    ...(open && { open }),
    ...(pace !== undefined && { pace }),
  })
  if (options.isUnread !== true) await readFirst(app)
  return app
}

/** The first reading derives hundreds of addresses, and may take more than one attempt. */
async function readFirst({ services }: TestApp): Promise<void> {
  const rail = services.rails.get('utxo')
  const isUnderWay = (chain: string) => {
    const { readAgoMs = null, fault = null } = rail?.health?.(chain) ?? {}
    return readAgoMs === null && fault === null
  }
  do await watchChains(services)
  while (rail?.chains.some(isUnderWay) === true)
}

/** A coin worth $100, as a payment token. */
export function aUtxoCoin(symbol: CoinSymbol): PaymentToken {
  return aPaymentToken({
    id: symbol.toLowerCase(),
    name: symbol,
    symbol,
    chain: symbol,
    decimals: 8,
    minUsd: dollars('0'),
    fixedPrice: priced('100'),
    rail: 'utxo',
    providerIds: { utxo: symbol.toLowerCase() },
    chainId: null,
  })
}
