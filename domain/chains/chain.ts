import { type CryptoAmount, formatDecimal } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/** Spellings of chain names, in lower case; specification section 3. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  ERC20: ['erc20', 'erc-20', 'eth', 'ethereum'],
  BSC: ['bsc', 'binance smart chain', 'bep20', 'bep-20'],
  BTC: ['btc', 'bitcoin'],
}

type KnownChain = {
  name: string
  /** Payment links: BIP-21 with this scheme, or ERC-681 with this chain id and native coins. */
  link:
    | { scheme: 'bitcoin' | 'litecoin' | 'dogecoin'; coin: string }
    | { chainId: number; natives: readonly string[] }
}

const ETHEREUM: KnownChain = {
  name: 'Ethereum (ERC20)',
  link: { chainId: 1, natives: ['ETH'] },
}
const BSC: KnownChain = {
  name: 'BNB Smart Chain (BSC)',
  link: { chainId: 56, natives: ['BNB'] },
}
const POLYGON: KnownChain = { name: 'Polygon', link: { chainId: 137, natives: ['MATIC', 'POL'] } }
const LITECOIN: KnownChain = { name: 'Litecoin', link: { scheme: 'litecoin', coin: 'LTC' } }
const DOGECOIN: KnownChain = { name: 'Dogecoin', link: { scheme: 'dogecoin', coin: 'DOGE' } }

/** By normalised name, in lower case. */
const KNOWN_CHAINS: ReadonlyMap<string, KnownChain> = new Map([
  ['erc20', ETHEREUM],
  ['bsc', BSC],
  ['bnb smart chain', BSC],
  ['polygon', POLYGON],
  ['matic', POLYGON],
  ['btc', { name: 'Bitcoin', link: { scheme: 'bitcoin', coin: 'BTC' } }],
  ['litecoin', LITECOIN],
  ['ltc', LITECOIN],
  ['dogecoin', DOGECOIN],
  ['doge', DOGECOIN],
])

const EVM_CHAINS = [ETHEREUM, BSC, POLYGON]
  .map(({ link }) => link)
  .filter((link) => 'chainId' in link)

/** The test networks of BTC, LTC and DOGE, whose coins are worthless. */
export const testNetworks = ['signet', 'testnet4', 'testnet'] as const

/** Chain ids (EIP-155) of EVM test networks, whose coins are worthless. */
const EVM_TEST_NETWORKS: ReadonlyMap<number, string> = new Map([
  [97, 'BNB Smart Chain testnet'],
  [17_000, 'Holesky'],
  [80_002, 'Amoy'],
  [84_532, 'Base Sepolia'],
  [421_614, 'Arbitrum Sepolia'],
  [560_048, 'Hoodi'],
  [11_155_111, 'Sepolia'],
  [11_155_420, 'OP Sepolia'],
])

/** The name of a well-known test network; null for any other chain. */
export function evmTestNetwork(chainId: number): string | null {
  return EVM_TEST_NETWORKS.get(chainId) ?? null
}

/** Where any chain may log the transfers of its own coin: EIP-7708, and the chains of zkSync. */
const COIN_LOGS: readonly string[] = [
  '0xfffffffffffffffffffffffffffffffffffffffe',
  '0x000000000000000000000000000000000000800a',
]
/** Contracts through which a chain's own coin is a token too, by chain id: Celo's. */
const COIN_CONTRACTS: ReadonlyMap<number, string> = new Map([
  [42_220, '0x471ece3750da237f93b8e339c536989b8978a438'],
])

/** Whether what a contract logs as transfers of a token moves the chain's own coin. */
export function isOwnCoin(chainId: number, contract: string): boolean {
  const address = contract.toLowerCase()
  return COIN_LOGS.includes(address) || COIN_CONTRACTS.get(chainId) === address
}

/** Gives each chain with several spellings a single one; other names stay as they are. */
export function normalizeChain(name: string): string {
  const trimmed = name.trim()
  const wanted = trimmed.toLowerCase()
  const found = Object.entries(SPELLINGS).find(([, spellings]) => spellings.includes(wanted))
  return found?.[0] ?? trimmed
}

/** Every name under which people may look for a chain. */
export function chainNames(chain: string): readonly string[] {
  const spellings = SPELLINGS[normalizeChain(chain)] ?? []
  return [chain, networkName({ chain }), ...spellings]
}

/**
 * The id of a well-known EVM chain and the symbols of its own coin; null for any other chain. It is
 * known by its id too, whatever it is called, and a test network that goes by its name is not it.
 */
export function knownEvmChain(
  chain: string,
  chainId: number | null,
): { chainId: number; natives: readonly string[] } | null {
  if (chainId !== null && EVM_TEST_NETWORKS.has(chainId)) return null
  const link = knownChain(chain)?.link
  if (link !== undefined && 'chainId' in link) return link
  return EVM_CHAINS.find((each) => each.chainId === chainId) ?? null
}

/** A well-known chain of the Bitcoin family and the symbol of its coin; null for any other. */
export function bitcoinChain(
  chain: string,
): { scheme: 'bitcoin' | 'litecoin' | 'dogecoin'; coin: string } | null {
  const link = knownChain(chain)?.link
  return link !== undefined && 'scheme' in link ? link : null
}

/** The chain as a sentence names it: "Send only on the Bitcoin network". */
export function networkName({ chain }: Pick<PaymentToken, 'chain'>): string {
  return knownChain(chain)?.name ?? chain
}

/**
 * The link with which a wallet pays. The Bitcoin family uses BIP-21, whose amount is in whole
 * coins; everything else ERC-681 with amounts in base units, as section 9 of the specification
 * requires.
 *
 * An amount is included only if it is certain what it is an amount of. A token whose contract is
 * not known, or an unknown chain without an id, gets a link to the bare address: a `value` there
 * would make the wallet send the chain's own coin. Of an unknown chain, only the rail `evm` knows
 * that a token without a contract is that coin; a gateway needs no contract of any token.
 */
export function paymentUri(payment: {
  paymentToken: Pick<
    PaymentToken,
    'chain' | 'symbol' | 'decimals' | 'chainId' | 'contract' | 'rail'
  >
  address: string
  amount: CryptoAmount
}): string {
  const { paymentToken, address, amount } = payment
  const known = knownChain(paymentToken.chain)?.link
  if (known !== undefined && 'scheme' in known) {
    return `${known.scheme}:${address}?amount=${formatDecimal(amount, paymentToken.decimals)}`
  }
  const chainId = paymentToken.chainId ?? known?.chainId
  if (chainId === undefined) return `ethereum:${address}`
  if (paymentToken.contract !== null) {
    const transfer = `transfer?address=${address}&uint256=${amount}`
    return `ethereum:${paymentToken.contract}@${chainId}/${transfer}`
  }
  const isNative =
    known?.natives.includes(paymentToken.symbol.toUpperCase()) ?? paymentToken.rail === 'evm'
  return `ethereum:${address}@${chainId}${isNative ? `?value=${amount}` : ''}`
}

/** What kind of chain carries a payment token; null if that is not known. */
export function chainFamily({
  chain,
  chainId,
}: Pick<PaymentToken, 'chain' | 'chainId'>): 'evm' | 'bitcoin' | null {
  const link = knownChain(chain)?.link
  if (link !== undefined && 'scheme' in link) return 'bitcoin'
  return link !== undefined || chainId !== null ? 'evm' : null
}

function knownChain(chain: string): KnownChain | undefined {
  return KNOWN_CHAINS.get(normalizeChain(chain).toLowerCase())
}
