import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o777

/** What this program puts into a data folder. */
const OWN_NAMES = /^(database(\.lock.*)?|secret-key)$/

/**
 * Makes a data folder that only this program's user can enter. An existing folder is closed to
 * others too, unless something else is kept in it: then its mode is its owner's choice.
 */
export async function provideDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const names = await readdir(folder)
  const isOwned = (await stat(folder)).uid === process.getuid?.()
  if (isOwned && names.every((name) => OWN_NAMES.test(name))) await restrict(folder, FOLDER_MODE)
}

/** Makes a folder that only this program's user can enter, or closes an existing one. */
export async function providePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  await restrict(folder, FOLDER_MODE)
}

/** Takes all rights to a folder's contents from everybody but its owner. */
export async function restrictContents(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) await restrictFile(path)
    if (entry.isDirectory()) {
      await restrict(path, FOLDER_MODE)
      await restrictContents(path)
    }
  }
}

export async function restrictFile(path: string): Promise<void> {
  await restrict(path, FILE_MODE)
}

async function restrict(path: string, mode: number): Promise<void> {
  // Windows has no such modes: there a folder is private if it is in the user's profile.
  if (process.platform === 'win32') return
  const isRight = ((await stat(path)).mode & MODE_BITS) === mode
  if (isRight) return
  try {
    await chmod(path, mode)
  } catch (fault) {
    if (!isNotOursToChange(fault)) throw fault
    process.emitWarning(
      `Other users may be able to read ${path}, and this program cannot change its mode ` +
        `(${String(fault)}). Have its owner remove the access of all other users`,
    )
  }
}

/** Errors that mean that another owner, a read-only mount or a file system decides about modes. */
const NOT_OURS: ReadonlySet<unknown> = new Set(['EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Whether this program cannot set the mode, which is no reason not to start. */
export function isNotOursToChange(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && NOT_OURS.has(fault.code)
}
