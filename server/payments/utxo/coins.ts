import type { BTC_NETWORK } from '@scure/btc-signer/utils.js'
import { bitcoinChain } from '#domain/chains/chain.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { type ConfirmationRule, confirmationRule } from '#server/payments/chains/confirmations.ts'
import type { PublicPrefix } from '#server/payments/keys/extended-key.ts'

/** What distinguishes the coins of the Bitcoin family. */
export type Coin = Readonly<{
  /** What its variables begin with. */
  symbol: 'BTC' | 'LTC' | 'DOGE'
  /** How its chain is named, here and in payment links. */
  chain: 'bitcoin' | 'litecoin' | 'dogecoin'
  network: BTC_NETWORK
  /** The kind of output that its addresses stand for: SegWit where the coin has it. */
  output: 'wpkh' | 'pkh'
  /** Where wallets find the account (BIP-84, BIP-44). */
  path: string
  prefixes: readonly PublicPrefix[]
  /** The hash of the first block. */
  genesis: string
  confirmations: ConfirmationRule
  /** Without a block for so long, a node is taken to be cut off: the chain itself never rests. */
  silentMaxMs: number
  /** Where a person can look at a transaction. */
  explorer: string
}>

/** Of all three. */
export const DECIMALS = 8
const HOUR_MS = 3_600_000

export const coins: readonly Coin[] = [
  {
    symbol: 'BTC',
    chain: 'bitcoin',
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
    chain: 'litecoin',
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
    chain: 'dogecoin',
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

/** The coin of a payment token; the sale file's reader lets no token of this rail have none. */
export function coinOf({ id, chain }: Pick<PaymentToken, 'id' | 'chain'>): Coin {
  const name = bitcoinChain(chain)?.scheme
  const coin = coins.find((each) => each.chain === name)
  if (coin === undefined) throw new Error(`The payment token ${id} is no coin of the rail utxo.`)
  return coin
}
