import { proofNodes } from './tree-proof.ts'

/** The format of the file with which a buyer shows that a purchase is in a snapshot. */
export const RECEIPT_FORMAT = 'token-receipt/1'

/** The types of a leaf's values, as `standard-v1` of `@openzeppelin/merkle-tree` encodes them. */
export const LEAF_ENCODING = ['bytes32', 'uint256'] as const

export const SALT_BYTES = 32
const WORD_BYTES = 32
const UINT256_MAX = 2n ** 256n - 1n
/** The proof length in a tree with more leaves than there will ever be purchases. */
const PROOF_LENGTH_MAX = 64

/**
 * What proves that a purchase is in a snapshot, as its file has it. Bytes are written in
 * hexadecimal with `0x`.
 */
export type ProofReceipt = {
  format: typeof RECEIPT_FORMAT
  snapshot: number
  root: string
  leaf_encoding: typeof LEAF_ENCODING
  /** Of the purchase, or of the reward. */
  purchase_id: string
  salt: string
  /** keccak256(salt ‖ the 16 bytes of the id), and the tokens in base units. */
  value: readonly [string, string]
  /** The sibling nodes on the path from the leaf up to the root. */
  proof: readonly string[]
}

/** Ethereum's hash: Keccak with 256 bits, which is not SHA3-256. */
export type Keccak256 = (bytes: Uint8Array) => Uint8Array

/** What a leaf contains for its purchase: without the salt, nobody can try ids until one fits. */
export function saltedId(keccak256: Keccak256, salt: Uint8Array, id: string): Uint8Array {
  return keccak256(joined(salt, bytesOf(id.replaceAll('-', ''))))
}

/** A leaf before it is hashed: `abi.encode(bytes32, uint256)`. */
function encodedLeaf(hashedId: Uint8Array, tokens: bigint): Uint8Array {
  return joined(hashedId, bytesOf(tokens.toString(16).padStart(2 * WORD_BYTES, '0')))
}

/**
 * `id`: the file names a different purchase from the one that it proves. `root`: what it proves is
 * in no tree.
 */
export type ReceiptFault = 'id' | 'root'

/**
 * Checks a receipt on its own, without asking anybody: null if it is right. Comparing its root with
 * the published one is up to the reader.
 */
export function findReceiptFault(receipt: ProofReceipt, keccak256: Keccak256): ReceiptFault | null {
  const [hashedId, tokens] = receipt.value
  const salted = saltedId(keccak256, bytesOf(receipt.salt.slice(2)), receipt.purchase_id)
  if (hexOf(salted) !== hashedId) return 'id'
  // Hashed twice, so that no node of the tree can pass for a leaf.
  let hash = keccak256(keccak256(encodedLeaf(salted, BigInt(tokens))))
  for (const node of receipt.proof) {
    const other = bytesOf(node.slice(2))
    hash = keccak256(isBefore(hash, other) ? joined(hash, other) : joined(other, hash))
  }
  return hexOf(hash) === receipt.root ? null : 'root'
}

/** The receipts in a file's text, which has one or a list of them; null if it has none. */
export function readReceipts(text: string): ProofReceipt[] | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.length > 0 && all.every(isReceipt) ? all : null
}

function isReceipt(value: unknown): value is ProofReceipt {
  if (typeof value !== 'object' || value === null) return false
  const given: Partial<Record<keyof ProofReceipt, unknown>> = value
  const { format, snapshot, root, leaf_encoding, purchase_id, salt, proof } = given
  return (
    format === RECEIPT_FORMAT &&
    Number.isSafeInteger(snapshot) &&
    isWord(root) &&
    isWord(salt) &&
    Array.isArray(leaf_encoding) &&
    leaf_encoding.join() === LEAF_ENCODING.join() &&
    typeof purchase_id === 'string' &&
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(purchase_id) &&
    isLeafValue(given.value) &&
    Array.isArray(proof) &&
    proof.length <= PROOF_LENGTH_MAX &&
    proof.every(isWord)
  )
}

function isLeafValue(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [hashedId, tokens]: unknown[] = value
  const isAmount = typeof tokens === 'string' && /^(0|[1-9]\d{0,77})$/.test(tokens)
  return isWord(hashedId) && isAmount && BigInt(tokens) <= UINT256_MAX
}

const isWord = (value: unknown): boolean =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)

/** The indexes of the nodes that prove a leaf. */
export const receiptNodes = (treeIndex: number) => proofNodes('standard', 0, treeIndex)

export function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Digit by digit, for speed: a snapshot has millions of them. */
function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = digitOf(hex.charCodeAt(2 * at)) * 16 + digitOf(hex.charCodeAt(2 * at + 1))
  }
  return bytes
}

const NINE = 57
/** Of a hexadecimal digit in lower case. */
const digitOf = (code: number) => (code <= NINE ? code - 48 : code - 87)

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length)
  bytes.set(one)
  bytes.set(other, one.length)
  return bytes
}

function isBefore(one: Uint8Array, other: Uint8Array): boolean {
  const at = one.findIndex((byte, place) => byte !== other[place])
  return (one[at] ?? 0) < (other[at] ?? 0)
}
