import { ECDH } from 'node:crypto'
import { publicKeyToAddress } from 'viem/accounts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'

/** The account's branch for receiving addresses (BIP-44). */
const EXTERNAL = 0

/** Its branch for the owner's own addresses: no purchase gets one of them. */
const INTERNAL = 1

/** The address at `m/44'/60'/0'/0/index`, with the checksum of EIP-55. */
export function deriveEvmAddress(key: ExtendedKey, index: number): string {
  return deriveAt(key, EXTERNAL, index)
}

/** The address at `m/44'/60'/0'/1/0`, which pays the gas of sweeping. */
export function deriveGasPayer(key: ExtendedKey): string {
  return deriveAt(key, INTERNAL, 0)
}

function deriveAt(key: ExtendedKey, branch: number, index: number): string {
  const compressed = key.publicKeyAt(branch, index)
  const point = ECDH.convertKey(compressed, 'secp256k1', undefined, 'hex', 'uncompressed')
  return publicKeyToAddress(`0x${point.toString()}`)
}
