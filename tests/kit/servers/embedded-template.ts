import { PGlite } from '@electric-sql/pglite'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { projectRoot } from '#tools/project.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a dump of an embedded database that has its tables and no rows. */
    embeddedSnapshot: string
  }
}

const cache = join(projectRoot, '.cache', 'embedded-snapshots')
const keptForMs = 60 * 60 * 1000

export async function setup(project: TestProject): Promise<void> {
  project.provide('embeddedSnapshot', await provideEmbeddedSnapshot())
}

/**
 * The path of a dump of an embedded database that has its tables and no rows. Making one from
 * scratch takes seconds. That is done once for each state of the code that makes it.
 */
export async function provideEmbeddedSnapshot(): Promise<string> {
  const snapshot = join(cache, `${fingerprint()}.tar`)
  if (!existsSync(snapshot)) {
    await mkdir(cache, { recursive: true })
    await removeOldSnapshots()
    await makeSnapshot(snapshot)
  }
  await utimes(snapshot, new Date(), new Date())
  return snapshot
}

/**
 * Makes a folder of an embedded database that has its tables and no rows. A server that makes them
 * itself takes ten seconds of processor time.
 */
export async function unpackDatabase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xf', await provideEmbeddedSnapshot(), '-C', folder])
}

/** Changes with everything that decides what a fresh database looks like. */
function fingerprint(): string {
  const paths = globSync('server/database/**/*.{ts,sql}', { cwd: projectRoot }).toSorted()
  const hash = createHash('sha256')
  for (const path of [...paths, 'node_modules/@electric-sql/pglite/package.json']) {
    hash.update(readFileSync(join(projectRoot, path)))
  }
  return hash.digest('hex')
}

async function makeSnapshot(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-embedded-'))
  try {
    const data = join(folder, 'template')
    const template = await openDatabase({ kind: 'embedded', folder: data })
    await template.close()
    const pglite = await PGlite.create({ dataDir: data })
    const dump = await pglite.dumpDataDir('none')
    await pglite.close()
    // Another run may make the same one: each is moved into place as a whole.
    const draft = `${path}.${process.pid}`
    await writeFile(draft, new Uint8Array(await dump.arrayBuffer()))
    await rename(draft, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A file last used an hour ago does not belong to a run in progress. */
async function removeOldSnapshots(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > keptForMs) await rm(path, { force: true })
  }
}
