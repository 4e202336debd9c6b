import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { deriveEvmAddress } from '#server/payments/evm/derive-address.ts'
import { parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { coins, testCoins } from '#server/payments/utxo/coins.ts'
import { deriveUtxoAddress } from '#server/payments/utxo/derive-address.ts'
import { Fault } from '#server/payments/variables.ts'

/** What the server may know of one account of a wallet. */
export type AccountKey = {
  /** The server's variable. */
  name: string
  /** Where wallets find the account (BIP-44, BIP-84). */
  path: string
  /** The extended PUBLIC key. */
  text: string
  fingerprint: string
  /** The variable and value that PSBTs need (BIP 380); null for an account that has none. */
  origin: { name: string; text: string } | null
  firstAddress: string
}

/** tprv and tpub: how keys of test networks are written. */
const TEST_VERSIONS = { private: 0x04_35_83_94, public: 0x04_35_87_cf }

/** Words that are not a wallet's (BIP-39): one is misspelt, missing or in the wrong place. */
export class WrongWords extends Error {
  override readonly name = 'WrongWords'
}

/**
 * The extended public keys of a wallet's accounts, one for each of the server's variables. `words`
 * are those of BIP-39, separated by spaces; `isTest` selects the accounts of test networks, whose
 * coins are worthless. Throws {@link WrongWords}.
 */
export function keysOfWallet(words: string, isTest = false): AccountKey[] {
  const seed = seedOf(words)
  const root = HDKey.fromMasterSeed(seed)
  const evm = keyAt(root, 'EVM_XPUB', "m/44'/60'/0'")
  // The addresses of a coin are the same on all its test networks.
  const byName = new Map((isTest ? testCoins : coins).map((coin) => [coin.symbol, coin]))
  const coinsRoot = isTest ? HDKey.fromMasterSeed(seed, TEST_VERSIONS) : root
  const others = [...byName.values()].map((coin) => {
    const prefix = isTest ? 'tpub' : 'xpub'
    const { key, ...account } = keyAt(coinsRoot, `${coin.symbol}_XPUB`, coin.path, prefix)
    const text = originAt(root, coin.path)
    const origin = coin.output === 'pkh' ? null : { name: `${coin.symbol}_KEY_ORIGIN`, text }
    return { ...account, origin, firstAddress: deriveUtxoAddress(coin, key, 0) }
  })
  const { key, ...account } = evm
  return [{ ...account, origin: null, firstAddress: deriveEvmAddress(key, 0) }, ...others]
}

/** `[73c5da0a/84h/0h/0h]`: the fingerprint of the wallet's master key and the account's path. */
function originAt({ fingerprint }: HDKey, path: string): string {
  const digits = fingerprint.toString(16).padStart(8, '0')
  return `[${digits}${path.slice(1).replaceAll("'", 'h')}]`
}

/** The key of an account, as the server may know it. */
export function keyAt(root: HDKey, name: string, path: string, prefix: 'xpub' | 'tpub' = 'xpub') {
  const text = root.derive(path).publicExtendedKey
  const key = parseExtendedKey(text, { name, path, prefixes: [prefix] })
  if (key instanceof Fault) throw new Error(`The key of ${path} ${key.expected}.`)
  return { name, path, text, fingerprint: key.fingerprint, key }
}

/** The seed of some words, without a passphrase (BIP-39). Throws {@link WrongWords}. */
export function seedOf(words: string): Uint8Array {
  const written = words.trim().toLowerCase().split(/\s+/)
  if (written[0] === '') throw new WrongWords('There are no words: type those of the wallet.')
  const unknown = written.find((word) => !wordlist.includes(word))
  if (unknown !== undefined) throw new WrongWords(`"${unknown}" is none of the words of BIP-39.`)
  const sentence = written.join(' ')
  if (!validateMnemonic(sentence, wordlist)) {
    throw new WrongWords('These words belong to no wallet: one is missing, or not where it was.')
  }
  return mnemonicToSeedSync(sentence)
}
