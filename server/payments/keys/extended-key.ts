import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { createHash } from 'node:crypto'
import { Fault } from '#server/payments/variables.ts'

/** An extended public key of an account: it derives addresses, and cannot spend anything. */
export type ExtendedKey = Readonly<{
  /** The variable that contained it, such as `EVM_XPUB`. Keys are pinned under this name. */
  name: string
  /** 16 hexadecimal digits that identify this key, whatever its encoding. */
  fingerprint: string
  /** The compressed public key at `change/index` below the account (BIP-32, BIP-44). */
  publicKeyAt(change: number, index: number): Uint8Array
}>

export type KeyRules = {
  name: string
  /** The accepted prefixes, such as `xpub`. */
  prefixes: readonly PublicPrefix[]
  /** Where wallets find the account, such as `m/44'/60'/0'`, for messages. */
  path: string
}

/** Version bytes of extended public keys (BIP-32, SLIP-132, and the coins' own). */
const PUBLIC_VERSIONS = {
  xpub: 0x04_88_b2_1e,
  ypub: 0x04_9d_7c_b2,
  zpub: 0x04_b2_47_46,
  tpub: 0x04_35_87_cf,
  upub: 0x04_4a_52_62,
  vpub: 0x04_5f_1c_f6,
  Ltub: 0x01_9d_a4_62,
  Mtub: 0x01_b2_6e_f6,
  dgub: 0x02_fa_ca_fd,
} as const

export type PublicPrefix = keyof typeof PUBLIC_VERSIONS

/** xprv, yprv, zprv, tprv, uprv, vprv, Ltpv, Mtpv, dgpv. */
const PRIVATE_VERSIONS: ReadonlySet<number> = new Set([
  0x04_88_ad_e4, 0x04_9d_78_78, 0x04_b2_43_0c, 0x04_35_83_94, 0x04_4a_4e_28, 0x04_5f_18_bc,
  0x01_9d_9c_fe, 0x01_b2_67_92, 0x02_fa_c3_98,
])

const ACCOUNT_DEPTH = 3
const HARDENED = 2 ** 31
const SERIALISED_LENGTH = 78
const CHECKSUM_LENGTH = 4

/** Parses an account's extended public key. Faults never repeat the key. */
export function parseExtendedKey(text: string, rules: KeyRules): ExtendedKey | Fault {
  const bytes = decode(text.trim())
  const wanted = `the account's extended public key (${rules.prefixes.join(' or ')}…)`
  if (bytes === null) {
    return new Fault(`must be ${wanted}: this is not one, or a letter of it is wrong`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const version = view.getUint32(0)
  if (PRIVATE_VERSIONS.has(version)) {
    return new Fault(
      `must be ${wanted}: this is the PRIVATE key, which can spend everything and belongs on ` +
        'no server. Remove it from here, and move to another wallet if anybody may have seen it',
    )
  }
  const prefix = prefixOf(version)
  if (prefix === undefined || !rules.prefixes.includes(prefix)) {
    const found = prefix === undefined ? 'one of an unknown network' : `a ${prefix}`
    return new Fault(`must be ${wanted}: this is ${found}, of another network or kind of wallet`)
  }
  const depth = bytes[4]
  if (depth !== ACCOUNT_DEPTH || view.getUint32(9) < HARDENED) {
    return new Fault(
      `must be the key of the account ${rules.path}: this one stands at depth ${depth} of its ` +
        'wallet, so that its addresses would not be those that the wallet shows',
    )
  }
  return readKey(bytes, rules.name) ?? new Fault(`must be ${wanted}: this one is on no curve`)
}

/** The serialised key without its checksum; null if the text is not one. */
function decode(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{100,120}$/.test(text)) return null
  const bytes = base58.decode(text)
  const body = bytes.subarray(0, -CHECKSUM_LENGTH)
  const checksum = sha256(sha256(body)).subarray(0, CHECKSUM_LENGTH)
  const isWhole = body.length === SERIALISED_LENGTH && checksum.equals(bytes.subarray(body.length))
  return isWhole ? Uint8Array.from(body) : null
}

function prefixOf(version: number): PublicPrefix | undefined {
  const found = Object.entries(PUBLIC_VERSIONS).find(([, known]) => known === version)
  return found?.[0] as PublicPrefix | undefined
}

function readKey(bytes: Uint8Array, name: string): ExtendedKey | null {
  const chainCode = bytes.slice(13, 45)
  const publicKey = bytes.slice(45)
  try {
    const account = new HDKey({ publicKey, chainCode, depth: ACCOUNT_DEPTH })
    const branches = new Map<number, HDKey>()
    return Object.freeze({
      name,
      fingerprint: sha256(Buffer.concat([chainCode, publicKey]))
        .toString('hex')
        .slice(0, 16),
      publicKeyAt(change: number, index: number) {
        const branch = branches.get(change) ?? account.deriveChild(change)
        branches.set(change, branch)
        const { publicKey: derived } = branch.deriveChild(index)
        if (derived === null) throw new Error('A public key derives public keys.')
        return derived
      },
    })
  } catch {
    return null
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
