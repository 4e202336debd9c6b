import { Fault } from '#server/payments/variables.ts'

/**
 * Where an account's key is in its wallet (BIP 380): the fingerprint of the wallet's master key and
 * the path to the account. An extended public key contains neither, and signers need both.
 */
export type KeyOrigin = Readonly<{ fingerprint: number; path: readonly number[] }>

const HARDENED = 2 ** 31

/**
 * Parses `[f1e2d3c4/84h/0h/0h]`, as descriptors and wallets write it.
 * @param path The account's, such as `m/84'/0'/0'`: any other path belongs to another key.
 */
export function parseKeyOrigin(text: string, path: string): KeyOrigin | Fault {
  const given = text.trim().replace(/^\[(.*)\]$/, '$1')
  const [fingerprint = '', ...steps] = given
    .toLowerCase()
    .replaceAll(/[h’]/g, "'")
    .split('/')
  const wanted = path.replace('m/', '')
  if (!/^[\da-f]{8}$/.test(fingerprint) || steps.join('/') !== wanted) {
    return new Fault(
      `must be the fingerprint of the wallet's master key and the path ${path}, such as ` +
        `[f1e2d3c4/${wanted.replaceAll("'", 'h')}]`,
    )
  }
  return {
    fingerprint: Number.parseInt(fingerprint, 16),
    path: steps.map((step) => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0)),
  }
}
