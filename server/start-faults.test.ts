import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { provideDataFolder } from './database/connection/private-folder.ts'
import { explainStartFault } from './start-faults.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-faults-'))
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'unmounted'), join(folder, 'link'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What a start says that cannot make its data folder. */
async function ofDataIn(path: string): Promise<string> {
  const fault = await provideDataFolder(join(folder, path)).then(
    () => new Error('It worked'),
    (thrown: unknown) => thrown,
  )
  return explainStartFault(fault, null)
}

test.each(['file', 'file/data'])(
  'a data folder at %s says that a folder is needed',
  async (path) => {
    expect(await ofDataIn(path)).toBe(
      `${join(folder, path)} cannot be a folder, since a file is there or above it. Move the file ` +
        'away, or set DATA_DIR to a folder.',
    )
  },
)

test('a data folder whose disk is not there says so', async () => {
  expect(await ofDataIn('link')).toBe(
    `${join(folder, 'link')} is not there and cannot be made. Mount the disk that it is on, or set ` +
      'DATA_DIR to another folder.',
  )
})

test('a data folder on a read-only disk says so', async () => {
  // No test can count on a read-only disk.
  const path = join(folder, 'data')
  const fault = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', path })
  expect(explainStartFault(fault, null)).toBe(
    `${path} is read-only here. Make it writable, in the mount of its disk or in the service's ` +
      'unit, or set DATA_DIR to a folder that is.',
  )
})

test('a connection without a path is not called a missing folder', () => {
  const fault = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' })
  expect(explainStartFault(fault, null)).toBe('The server could not start: connect ENOENT.')
})
