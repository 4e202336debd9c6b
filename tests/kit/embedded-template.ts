import { PGlite } from '@electric-sql/pglite'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/database/open-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a dump of an embedded database that has its tables and no rows. */
    embeddedSnapshot: string
  }
}

/**
 * Starting an embedded database from nothing takes seconds. It is done once a run, and each test
 * file starts from the dump instead. Replies the way to clean up.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-embedded-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const data = join(folder, 'template')
    const template = await openDatabase({ kind: 'embedded', folder: data })
    await template.close()
    const pglite = await PGlite.create({ dataDir: data })
    const dump = await pglite.dumpDataDir('none')
    await pglite.close()
    const snapshot = join(folder, 'snapshot.tar')
    await writeFile(snapshot, new Uint8Array(await dump.arrayBuffer()))
    await rm(data, { recursive: true })
    project.provide('embeddedSnapshot', snapshot)
    return clean
  } catch (error) {
    await clean()
    throw error
  }
}
