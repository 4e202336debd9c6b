import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { deriveEvmAddress } from '#server/payments/evm/derive-address.ts'
import { parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { coins } from '#server/payments/utxo/coins.ts'
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
  firstAddress: string
}

/** Words that are no wallet's (BIP-39): one is misspelt, missing or in another place. */
export class WrongWords extends Error {
  override readonly name = 'WrongWords'
}

/**
 * The extended public keys of a wallet's accounts, one for each of the server's variables.
 * `words` are those of BIP-39, with spaces between. Throws {@link WrongWords}.
 */
export function keysOfWallet(words: string): AccountKey[] {
  const root = HDKey.fromMasterSeed(seedOf(words))
  const evm = keyAt(root, 'EVM_XPUB', "m/44'/60'/0'")
  const others = coins.map((coin) => {
    const { key, ...account } = keyAt(root, `${coin.symbol}_XPUB`, coin.path)
    return { ...account, firstAddress: deriveUtxoAddress(coin, key, 0) }
  })
  const { key, ...account } = evm
  return [{ ...account, firstAddress: deriveEvmAddress(key, 0) }, ...others]
}

function keyAt(root: HDKey, name: string, path: string) {
  const text = root.derive(path).publicExtendedKey
  const key = parseExtendedKey(text, { name, path, prefixes: ['xpub'] })
  if (key instanceof Fault) throw new Error(`The key of ${path} ${key.expected}.`)
  return { name, path, text, fingerprint: key.fingerprint, key }
}

/** The seed that words stand for, without a passphrase (BIP-39). */
function seedOf(words: string): Uint8Array {
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
