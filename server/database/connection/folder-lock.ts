import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseUnusable } from './database-unusable.ts'

export type FolderLock = { release(): Promise<void> }

/** Identifies one process for ever: process ids alone are reused. */
type Holder = { pid: number; host: string; startedAt: string | null }

/**
 * Makes this process the only one that may open an embedded database's folder. Two processes in one
 * folder silently destroy each other's committed data, so the lock is taken before opening. It is
 * the file `<folder>.lock` beside the folder. The lock of a dead process is taken over, which is
 * decided by the identity of the process and never by the lock's age. Throws {@link
 * DatabaseUnusable} if another process holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = `${folder}.lock`
  const mine = describe(process.pid)
  if (!(await create(file, mine))) await takeOver(folder, file, mine)
  return {
    release: async () => {
      if ((await read(file)) === mine) await rm(file, { force: true })
    },
  }
}

/** Creates the file with its whole content at once: nobody ever reads half a lock. */
async function create(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Replaces a dead process's lock. A second lock makes this step exclusive, since of two processes
 * that find the same dead lock the slower one would remove the faster one's new lock.
 */
async function takeOver(folder: string, file: string, mine: string): Promise<void> {
  const guard = `${file}.takeover`
  if (!(await create(guard, mine))) {
    throw new DatabaseUnusable(
      `Another process is just taking over the data folder ${folder}. Try again; if this stays, ` +
        `make sure that no server is running and delete ${guard}`,
    )
  }
  try {
    refuseIfAlive(folder, file, await read(file))
    await rm(file, { force: true })
    if (!(await create(file, mine))) throw new DatabaseUnusable(heldSentence(folder, 'unknown'))
  } finally {
    await rm(guard, { force: true })
  }
}

function refuseIfAlive(folder: string, file: string, content: string | null): void {
  if (content === null) return
  const holder = parseHolder(content)
  if (holder === null) {
    throw new DatabaseUnusable(
      `The lock of the data folder ${folder} cannot be read. Make sure that no server is using ` +
        `the folder, delete ${file} and start again`,
    )
  }
  if (holder.host !== hostname()) {
    throw new DatabaseUnusable(
      `The data folder ${folder} is in use by process ${holder.pid} on ${holder.host}. Stop it ` +
        `first; if that machine or container is gone for good, delete ${file}`,
    )
  }
  if (isAlive(holder)) throw new DatabaseUnusable(heldSentence(folder, String(holder.pid)))
}

const heldSentence = (folder: string, pid: string) =>
  `The data folder ${folder} is in use by process ${pid}. One process at a time may open it: ` +
  'stop that one first, or give this one another DATA_DIR or a DATABASE_URL'

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // Not allowed to signal it: so there is such a process, of another user.
    if (!isCode(error, 'EPERM')) return false
  }
  const startedAt = startOf(holder.pid)
  return holder.startedAt === null || startedAt === null || startedAt === holder.startedAt
}

function describe(pid: number): string {
  const holder: Holder = { pid, host: hostname(), startedAt: startOf(pid) }
  return `${JSON.stringify(holder)}\n`
}

function parseHolder(content: string): Holder | null {
  try {
    const { pid, host, startedAt } = JSON.parse(content) as Partial<Holder>
    if (typeof pid !== 'number' || typeof host !== 'string') return null
    return { pid, host, startedAt: typeof startedAt === 'string' ? startedAt : null }
  } catch {
    return null
  }
}

/** The boot and the tick within it at which a process started; null if the system has neither. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The fields after the command, which is in parentheses and may itself hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    const ticks = fields?.[19]
    return ticks === undefined ? null : `${boot}:${ticks}`
  } catch {
    return null
  }
}

async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
