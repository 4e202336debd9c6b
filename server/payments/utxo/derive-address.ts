import { Address, OutScript, p2pkh, p2wpkh } from '@scure/btc-signer'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { Coin } from './coins.ts'

/** The account's branch for receiving addresses (BIP-44, BIP-84). */
const EXTERNAL = 0

/** The address at `0/index` below the account's key. */
export function deriveUtxoAddress(
  { network, output }: Coin,
  key: ExtendedKey,
  index: number,
): string {
  const publicKey = key.publicKeyAt(EXTERNAL, index)
  const { address } = output === 'wpkh' ? p2wpkh(publicKey, network) : p2pkh(publicKey, network)
  return address
}

/** The beginning of an output that pays to an address, in hexadecimal digits. */
export function scriptOf({ network }: Coin, address: string): string {
  return Buffer.from(OutScript.encode(Address(network).decode(address))).toString('hex')
}
