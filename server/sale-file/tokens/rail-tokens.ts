import { isAddress } from 'viem'
import { bitcoinChain, isOwnCoin, knownEvmChain } from '#domain/chains/chain.ts'
import type { Place } from '#server/sale-file/document/place.ts'
import { scalar } from '#server/sale-file/document/readers.ts'

/** Mixed case carries a checksum (EIP-55); without one, all letters are in one case. */
export const contract = scalar(
  'a contract’s address: 0x and 40 hexadecimal digits, each letter in its right case',
  (given) => {
    const isBare = /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(given)
    return isBare || isAddress(given) ? given : undefined
  },
)

/** Those that the rail utxo knows. */
const UTXO_TEST_NETWORKS = {
  bitcoin: ['signet', 'testnet4'],
  litecoin: ['testnet'],
  dogecoin: ['testnet'],
}
const EVM_COIN_DECIMALS = 18
const UTXO_COIN_DECIMALS = 8

/** The fields that a rail depends on; undefined if invalid. */
type TokenReadings = {
  short_name: string | undefined
  chain: string | undefined
  decimals: number | undefined
  chain_id: number | null | undefined
  contract: string | null | undefined
  network: string | null | undefined
  enabled: boolean | undefined
}

/**
 * Checks the fields that the rail evm depends on. A token without its contract would be taken for
 * the chain's native coin, and sold at a wrong price. What was used for payments can be neither
 * corrected nor removed: where it is not enabled it keeps its symbol and chain. Its decimals must
 * be right even so, since what comes to its former addresses still buys.
 */
export function evmTokens(): (token: TokenReadings, place: Place) => void {
  const seen = new Set<string>()
  return (token, place) => {
    const { chain = '', chain_id: chainId, contract } = token
    const isSold = token.enabled !== false
    if (token.network) {
      place.at('network').mismatch('none, since chain_id says which network it is')
    }
    if (chainId === null) {
      place.at('chain_id').mismatch('the id of the chain, which the rail evm needs')
    }
    if (typeof chainId !== 'number' || contract === undefined) return
    const known = knownEvmChain(chain, chainId)
    if (isSold && known !== null && known.chainId !== chainId) {
      place
        .at('chain_id')
        .mismatch(`${known.chainId}, the id of the chain ${chain} (or enabled: false)`)
    }
    if (contract === null) checkCoin(token, isSold ? (known?.natives ?? null) : null, place)
    else if (isOwnCoin(chainId, contract)) {
      place.at('contract').mismatch('none, since this one is the coin of the chain itself')
    }
    const asset = `${chainId} ${contract?.toLowerCase() ?? 'coin'}`
    if (seen.has(asset)) {
      const what = contract === null ? 'another coin for each chain' : 'a contract of its own'
      place.at('contract').mismatch(`${what}, since payments are told apart by it`)
    }
    seen.add(asset)
  }
}

function checkCoin(
  { short_name: symbol, chain, decimals }: TokenReadings,
  natives: readonly string[] | null,
  place: Place,
): void {
  if (symbol !== undefined && natives?.includes(symbol.toUpperCase()) === false) {
    const coin = natives.join(' or ')
    place
      .at('contract')
      .mismatch(
        `the contract of ${symbol} (or enabled: false): the coin of ${chain} itself is ${coin}`,
      )
  }
  if (decimals !== undefined && decimals !== EVM_COIN_DECIMALS) {
    place.at('decimals').mismatch(`${EVM_COIN_DECIMALS}, which the coin of every EVM chain has`)
  }
}

/**
 * Checks the fields that the rail utxo depends on, which takes the coins of three chains. Prices go
 * by symbol, so a wrong symbol would sell one coin at another's price.
 */
export function utxoTokens(): (token: TokenReadings, place: Place) => void {
  const seen = new Set<string>()
  return (token, place) => {
    const { short_name: symbol, chain, decimals, chain_id: chainId, contract, network } = token
    if (chain === undefined) return
    const known = bitcoinChain(chain)
    if (known === null) {
      place.at('chain').mismatch('BTC, LTC or DOGE, the chains that the rail utxo takes coins of')
      return
    }
    if (symbol !== undefined && symbol !== known.coin) {
      place.at('short_name').mismatch(`${known.coin}, the coin of ${chain}`)
    }
    if (decimals !== undefined && decimals !== UTXO_COIN_DECIMALS) {
      place.at('decimals').mismatch(`${UTXO_COIN_DECIMALS}, which ${known.coin} has`)
    }
    if (chainId) place.at('chain_id').mismatch(`none, which ${chain} has no use for`)
    const networks = UTXO_TEST_NETWORKS[known.scheme]
    if (network && !networks.includes(network)) {
      place.at('network').mismatch(`${networks.join(' or ')}, or none for real ${known.coin}`)
    }
    if (contract) place.at('contract').mismatch(`none, since ${chain} knows no contracts`)
    if (seen.has(known.scheme)) {
      place.at('chain').mismatch(`a chain that no other payment token of the rail utxo is on`)
    }
    seen.add(known.scheme)
  }
}
