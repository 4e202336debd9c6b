import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { provideEmbeddedSnapshot } from '#tests/kit/servers/embedded-snapshot.ts'

/** A folder of a test's own, and what a product is told of it. */
export type ProductFolder = {
  folder: string
  environment: { DATA_DIR: string; SALE_FILE?: string }
}

/**
 * Makes a folder for a product that sells what `saleFile` says, or what is shipped where that is
 * null. Its database has its tables already, as making them takes ten seconds of a processor,
 * except where it is to be started `fromNothing`.
 */
export async function makeProductFolder(
  saleFile: string | null,
  { fromNothing = false } = {},
): Promise<ProductFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-e2e-'))
  const data = join(folder, 'data')
  if (!fromNothing) await unpackDatabase(join(data, 'database'))
  if (saleFile === null) return { folder, environment: { DATA_DIR: data } }
  const salePath = join(folder, 'sale.yaml')
  await writeFile(salePath, saleFile)
  return { folder, environment: { DATA_DIR: data, SALE_FILE: salePath } }
}

async function unpackDatabase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xf', await provideEmbeddedSnapshot(), '-C', folder])
}
