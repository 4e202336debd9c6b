import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

import type { Log } from '#server/ports/runtime.ts'

/** Such a thread gets a tenth of what a competing one gets, and all of an idle processor. */
const NICENESS = 10
const THREADS = '/proc/self/task'

/**
 * Lets everything else go first where passwords are hashed: Node's thread pool, which hashes, waits
 * for calls and the database wherever they want the same processor. Call it once passwords can be
 * hashed, as the pool has its threads by then. Only Linux has priorities of threads; elsewhere
 * nothing changes.
 */
export function lowerHashingPriority(log: Log): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trimEnd()
      if (name === 'libuv-worker') setPriority(Number(thread), NICENESS)
    }
  } catch (fault) {
    log.warn({ fault }, 'Logins may slow down other calls: threads have no priorities here')
  }
}
