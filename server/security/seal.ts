import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import type { Secret } from '#server/ports/runtime.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts bytes that the database must not be able to read (AES-256-GCM). A key is derived for
 * each `use`; `owner` is authenticated with the bytes, so that they cannot be moved to somebody
 * else. Returns nonce, tag and ciphertext together.
 */
export function seal(secretKey: Secret, use: string, owner: string, open: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyFor(secretKey, use), nonce)
  cipher.setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(open), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Decrypts. Throws if the secret, the use or the owner differs. */
export function unseal(
  secretKey: Secret,
  use: string,
  owner: string,
  sealed: Uint8Array,
): Uint8Array {
  const bytes = Buffer.from(sealed)
  const tagAt = NONCE_BYTES
  const textAt = NONCE_BYTES + TAG_BYTES
  const key = keyFor(secretKey, use)
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, tagAt), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(tagAt, textAt))
  return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()])
}

function keyFor(secretKey: Secret, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey.reveal(), '', use, KEY_BYTES))
}
