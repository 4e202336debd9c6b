import { Address, OutScript } from '@scure/btc-signer'
import type { RefusedAddress } from '#domain/refunds/address-faults.ts'
import { foreignAddress } from '#server/payments/payouts/foreign-address.ts'
import type { Coin } from './coins.ts'

/** What an address stands for. */
type Kind = 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr'

/** The script's size in an output, and what it takes to spend it, in virtual bytes. */
const SIZES: Readonly<Record<Kind, { output: bigint; spending: bigint }>> = {
  pkh: { output: 34n, spending: 148n },
  sh: { output: 32n, spending: 148n },
  wpkh: { output: 31n, spending: 67n },
  wsh: { output: 43n, spending: 67n },
  tr: { output: 43n, spending: 67n },
}

/**
 * The version byte of Litecoin's script addresses until 2018, which look like Bitcoin's, by the
 * prefix of the network's other addresses.
 */
const FORMER_SCRIPT_HASH: Readonly<Record<string, number>> = { ltc: 0x05, tltc: 0xc4, rltc: 0xc4 }
/** Dogecoin nodes relay nothing smaller: 0.01 DOGE since version 1.14.5. */
const DOGE_DUST = 1_000_000n
/**
 * The fee rate at which nodes price a spending when they call an output dust, in base units per
 * virtual byte.
 */
const DUST_RATES = { BTC: 3n, LTC: 30n } as const

type Decoded = { kind: Kind; address: string; script: string }

/** Null for a text that is not an address of the coin, or whose key nobody can have. */
export function decodeAddress(coin: Coin, text: string): Decoded | null {
  const { network } = coin
  const scriptHash = FORMER_SCRIPT_HASH[network.bech32]
  const networks = scriptHash === undefined ? [network] : [network, { ...network, scriptHash }]
  for (const each of networks) {
    try {
      const decoded = Address(each).decode(text)
      const { type } = decoded
      if (!isKind(type) || (coin.output === 'pkh' && type !== 'pkh' && type !== 'sh')) return null
      const script = Buffer.from(OutScript.encode(decoded)).toString('hex')
      if (/^(?:76a914|a914|0014)0{40}/.test(script)) return null
      return { kind: type, address: Address(network).encode(decoded), script }
    } catch {
      // Not an address of this network.
    }
  }
  return null
}

function isKind(type: string): type is Kind {
  return type in SIZES
}

/** The address as its coin writes it today, or why it is invalid. */
export function readUtxoAddress(coin: Coin, text: string): { address: string } | RefusedAddress {
  const given = text.trim()
  const decoded = decodeAddress(coin, given)
  if (decoded !== null) return { address: decoded.address }
  const foreign = foreignAddress(given)
  const isOwn = foreign?.what === `an address of ${NAMES[coin.symbol]}`
  const found =
    foreign === null || isOwn
      ? 'This is not an address that can be paid, or a letter of it is wrong'
      : `This is ${foreign.what}`
  return {
    why: foreign === null || isOwn ? 'form' : foreign.why,
    fault: `${found}. Enter an address of ${NAMES[coin.symbol]}, which begins with ${begins(coin)}`,
  }
}

const NAMES = { BTC: 'Bitcoin', LTC: 'Litecoin', DOGE: 'Dogecoin' } as const

/** On the coin's own network; a test network has other letters. */
function begins({ network, output, symbol }: Coin): string {
  if (output === 'wpkh') {
    const old = { bc: ', 1 or 3', ltc: ', L or M' }[network.bech32] ?? ''
    return `${network.bech32}1${old}`
  }
  return symbol === 'DOGE' && network.pubKeyHash === 0x1e ? 'D, A or 9' : 'n, m or 2'
}

/**
 * What nodes call dust for an address, by its kind of script: spending it would cost more than a
 * third of it. Without an address, for the kind with the most.
 */
export function dustOf(coin: Coin, address?: string): bigint {
  if (coin.symbol === 'DOGE') return DOGE_DUST
  const { output, spending } = SIZES[(address && decodeAddress(coin, address)?.kind) || 'pkh']
  return (output + spending) * DUST_RATES[coin.symbol]
}

export function outputSize(kind: Kind): bigint {
  return SIZES[kind].output
}

/** The virtual bytes of one payout in a transaction of many: an output, and an input's share. */
export function payoutSize({ output }: Coin): bigint {
  return SIZES.tr.output + SIZES[output].spending + 1n
}
