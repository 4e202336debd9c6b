import { Address } from '@scure/btc-signer'
import type { BTC_NETWORK } from '@scure/btc-signer/utils.js'

/** The networks whose addresses buyers confuse with each other, each as a sentence names it. */
const BITCOIN_FAMILY: readonly (readonly [name: string, network: BTC_NETWORK])[] = [
  ['Bitcoin', { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 }],
  ['Litecoin', { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 }],
  ['Dogecoin', { bech32: 'doge', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e }],
  ['Dash', { bech32: 'dash', pubKeyHash: 0x4c, scriptHash: 0x10, wif: 0xcc }],
  ['Bitcoin’s test network', { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }],
  ['a private Bitcoin network', { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }],
  ['Litecoin’s test network', { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef }],
  ['a private Litecoin network', { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef }],
  ['Dogecoin’s test network', { bech32: 'tdge', pubKeyHash: 0x71, scriptHash: 0xc4, wif: 0xf1 }],
]

/** What an unwanted text is, as a sentence names it. */
export type ForeignAddress = { why: 'network' | 'secret' | 'name'; what: string }

const FORMS: readonly (readonly [form: RegExp, why: ForeignAddress['why'], what: string])[] = [
  [/^0x[0-9a-f]{40}$/i, 'network', 'an address of Ethereum and networks like it'],
  [
    /^(0x)?[0-9a-f]{64}$/i,
    'secret',
    'not an address, but a hash or a private key: never show a private key',
  ],
  [/^(ltc|tltc|rltc|t|r)mweb1/i, 'network', 'an address of Litecoin’s extension blocks (MWEB)'],
  [
    /^[xyzXYZtuvTUVLM](pub|prv|tub|tpv)[1-9A-HJ-NP-Za-km-z]{100,}$/,
    'secret',
    'a key of a whole wallet',
  ],
  [/^bitcoincash:|^[qp][02-9ac-hj-np-z]{41}$/i, 'network', 'an address of Bitcoin Cash'],
  [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, 'network', 'an address of Tron'],
  [/^ln(bc|tb|ltc)[0-9]/i, 'network', 'an invoice of Lightning'],
  [/\.(eth|crypto|bnb|x)$/i, 'name', 'a name, which may lead elsewhere tomorrow'],
  [/^[a-z]+:/i, 'name', 'a payment link, or has the name of a network in front'],
]

/** Null for a text that resembles nothing known. */
export function foreignAddress(text: string): ForeignAddress | null {
  const form = FORMS.find(([each]) => each.test(text))
  if (form !== undefined) return { why: form[1], what: form[2] }
  const found = BITCOIN_FAMILY.find(([, network]) => isOf(network, text))
  return found === undefined ? null : { why: 'network', what: `an address of ${found[0]}` }
}

function isOf(network: BTC_NETWORK, text: string): boolean {
  try {
    Address(network).decode(text)
    return true
  } catch {
    return false
  }
}
