import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { secret } from './secret.ts'
import type { Secret } from './services.ts'

const FILE_NAME = 'secret-key'
const KEY_BYTES = 32

/** The key that was generated for this data folder; generates it where there is none yet. */
export async function provideSecretKey(dataFolder: string): Promise<Secret> {
  const path = join(dataFolder, FILE_NAME)
  const kept = await readKept(path)
  if (kept !== null) return secret(kept)
  const key = randomBytes(KEY_BYTES).toString('base64url')
  await mkdir(dataFolder, { recursive: true })
  // Fails where another process has just made one, rather than changing it.
  await writeFile(path, key, { mode: 0o600, flag: 'wx' })
  return secret(key)
}

async function readKept(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim() || null
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null
    throw fault
  }
}
