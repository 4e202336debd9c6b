import type { BTC_NETWORK } from '@scure/btc-signer/utils.js'
import { bitcoinChain } from '#domain/chains/chain.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { type ConfirmationRule, confirmationRule } from '#server/payments/chains/confirmations.ts'
import type { PublicPrefix } from '#server/payments/keys/extended-key.ts'

/** What distinguishes the coins of the Bitcoin family. */
export type Coin = Readonly<{
  /** The prefix of its variables. */
  symbol: 'BTC' | 'LTC' | 'DOGE'
  /** How its payment links begin, including those of its test networks. */
  scheme: 'bitcoin' | 'litecoin' | 'dogecoin'
  /** The name of its chain here: `bitcoin`, `bitcoin-signet`. */
  chain: string
  /** Null for the network whose coins have value. */
  testNetwork: string | null
  /** What its nodes call the network. */
  nodeNetwork: string
  network: BTC_NETWORK
  /** The kind of output of its addresses: SegWit if the coin has it. */
  output: 'wpkh' | 'pkh'
  /** Where wallets find the account (BIP-84, BIP-44). */
  path: string
  prefixes: readonly PublicPrefix[]
  /** The hash of the first block. */
  genesis: string
  confirmations: ConfirmationRule
  /** A node without a block for this long is considered cut off: the chain itself never rests. */
  silentMaxMs: number
  /** Where a person can look at a transaction; null without a well-known place. */
  explorer: string | null
}>

/** Of all three. */
export const DECIMALS = 8
const HOUR_MS = 3_600_000

export const coins: readonly Coin[] = [
  {
    symbol: 'BTC',
    scheme: 'bitcoin',
    chain: 'bitcoin',
    testNetwork: null,
    nodeNetwork: 'main',
    network: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 },
    output: 'wpkh',
    path: "m/84'/0'/0'",
    prefixes: ['zpub', 'xpub'],
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    confirmations: confirmationRule([0n, 2], [10_000n, 3], [100_000n, 6]),
    silentMaxMs: 2 * HOUR_MS,
    explorer: 'https://mempool.space/tx/',
  },
  {
    symbol: 'LTC',
    scheme: 'litecoin',
    chain: 'litecoin',
    testNetwork: null,
    nodeNetwork: 'main',
    network: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
    output: 'wpkh',
    path: "m/84'/2'/0'",
    prefixes: ['zpub', 'xpub'],
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    confirmations: confirmationRule([0n, 6], [10_000n, 12], [100_000n, 24]),
    silentMaxMs: HOUR_MS,
    explorer: 'https://litecoinspace.org/tx/',
  },
  {
    symbol: 'DOGE',
    scheme: 'dogecoin',
    chain: 'dogecoin',
    testNetwork: null,
    nodeNetwork: 'main',
    // It has no SegWit: no address begins with this `bech32`.
    network: { bech32: 'doge', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e },
    output: 'pkh',
    path: "m/44'/3'/0'",
    prefixes: ['dgub', 'xpub'],
    genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    confirmations: confirmationRule([0n, 20], [10_000n, 60], [100_000n, 120]),
    silentMaxMs: HOUR_MS,
    explorer: 'https://dogechain.info/tx/',
  },
]

const TEST_PATH = "m/84'/1'/0'"
/** Nobody is paid to make their blocks. */
const TEST_SILENT_MAX_MS = 6 * HOUR_MS
const FEW = confirmationRule([0n, 1])

const bitcoinTest = {
  symbol: 'BTC',
  scheme: 'bitcoin',
  network: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  output: 'wpkh',
  path: TEST_PATH,
  prefixes: ['vpub', 'tpub'],
  confirmations: FEW,
  silentMaxMs: TEST_SILENT_MAX_MS,
} as const

/** Coins without value (BIP-325, BIP-94, and the chain parameters of the coins' nodes). */
export const testCoins: readonly Coin[] = [
  {
    ...bitcoinTest,
    chain: 'bitcoin-signet',
    testNetwork: 'signet',
    nodeNetwork: 'signet',
    genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    explorer: 'https://mempool.space/signet/tx/',
  },
  {
    ...bitcoinTest,
    chain: 'bitcoin-testnet4',
    testNetwork: 'testnet4',
    nodeNetwork: 'testnet4',
    genesis: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    explorer: 'https://mempool.space/testnet4/tx/',
  },
  {
    symbol: 'LTC',
    scheme: 'litecoin',
    chain: 'litecoin-testnet',
    testNetwork: 'testnet',
    nodeNetwork: 'test',
    network: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    output: 'wpkh',
    path: TEST_PATH,
    prefixes: ['vpub', 'tpub'],
    genesis: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    confirmations: FEW,
    silentMaxMs: TEST_SILENT_MAX_MS,
    explorer: 'https://litecoinspace.org/testnet/tx/',
  },
  {
    symbol: 'DOGE',
    scheme: 'dogecoin',
    chain: 'dogecoin-testnet',
    testNetwork: 'testnet',
    nodeNetwork: 'test',
    network: { bech32: 'tdoge', pubKeyHash: 0x71, scriptHash: 0xc4, wif: 0xf1 },
    output: 'pkh',
    path: "m/44'/1'/0'",
    prefixes: ['tpub'],
    genesis: 'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
    confirmations: FEW,
    silentMaxMs: TEST_SILENT_MAX_MS,
    explorer: null,
  },
]

/**
 * The coin of a payment token; the sale file's reader makes sure that each token of this rail has
 * one.
 */
export function coinOf({
  id,
  chain,
  testNetwork,
}: Pick<PaymentToken, 'id' | 'chain' | 'testNetwork'>): Coin {
  const scheme = bitcoinChain(chain)?.scheme
  const coin = [...coins, ...testCoins].find(
    (each) => each.scheme === scheme && each.testNetwork === testNetwork,
  )
  if (coin === undefined) throw new Error(`The payment token ${id} is no coin of the rail utxo.`)
  return coin
}
