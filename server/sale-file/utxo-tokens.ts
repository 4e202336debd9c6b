import { bitcoinChain } from '#domain/chains/chain.ts'
import type { Place } from './document/place.ts'

const DECIMALS = 8

type Readings = {
  short_name: string | undefined
  chain: string | undefined
  decimals: number | undefined
  chain_id: number | null | undefined
  contract: string | null | undefined
}

/**
 * Checks what the rail utxo goes by: it takes the coins of three chains, and prices go by symbol,
 * so that a wrong one would sell a coin at another's price.
 */
export function utxoTokens(): (token: Readings, place: Place) => void {
  const seen = new Set<string>()
  return ({ short_name: symbol, chain, decimals, chain_id: chainId, contract }, place) => {
    if (chain === undefined) return
    const known = bitcoinChain(chain)
    if (known === null) {
      place.at('chain').mismatch('BTC, LTC or DOGE, the chains that the rail utxo takes coins of')
      return
    }
    if (symbol !== undefined && symbol !== known.coin) {
      place.at('short_name').mismatch(`${known.coin}, the coin of ${chain}`)
    }
    if (decimals !== undefined && decimals !== DECIMALS) {
      place.at('decimals').mismatch(`${DECIMALS}, which ${known.coin} has`)
    }
    if (chainId) place.at('chain_id').mismatch(`none, which ${chain} has no use for`)
    if (contract) place.at('contract').mismatch(`none, since ${chain} knows no contracts`)
    if (seen.has(known.scheme)) {
      place.at('chain').mismatch(`a chain that no other payment token of the rail utxo is on`)
    }
    seen.add(known.scheme)
  }
}
