import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { provideDataFolder, restrictFile } from '#server/database/connection/private-folder.ts'
import { secret } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'

const FILE_NAME = 'secret-key'
const KEY_BYTES = 32
const FINGERPRINT_DIGITS = 16

/** The key generated for this data folder; generates it if there is none yet. */
export async function provideSecretKey(dataFolder: string): Promise<Secret> {
  const path = join(dataFolder, FILE_NAME)
  const kept = await readSecretKey(dataFolder)
  if (kept !== null) {
    await restrictFile(path)
    return kept
  }
  const key = randomBytes(KEY_BYTES).toString('base64url')
  await provideDataFolder(dataFolder)
  // Fails if another process has just created one, rather than overwriting it.
  await writeFile(path, key, { mode: 0o600, flag: 'wx' })
  return secret(key)
}

/** The key of this data folder; null if none was generated yet. */
export async function readSecretKey(dataFolder: string): Promise<Secret | null> {
  try {
    const kept = (await readFile(join(dataFolder, FILE_NAME), 'utf8')).trim()
    return kept === '' ? null : secret(kept)
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null
    throw fault
  }
}

/** Identifies a secret key without revealing it. */
export function fingerprintOf(secretKey: Secret): string {
  const mac = createHmac('sha256', secretKey.reveal()).update('fingerprint').digest('hex')
  return mac.slice(0, FINGERPRINT_DIGITS)
}

/**
 * The operator's token if none is set. It is derived from the secret key, so that every instance
 * and the operator's command agree on it without storing or distributing anything.
 */
export function deriveOperatorToken(secretKey: Secret): Secret {
  const mac = createHmac('sha256', secretKey.reveal()).update('operator token')
  return secret(mac.digest('base64url'))
}
