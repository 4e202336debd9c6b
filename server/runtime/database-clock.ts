import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import { every } from './every.ts'

export type RunningClock = Clock & { close(): Promise<void> }

const SYNC_EVERY_MS = 30_000
/** The fastest of several samples is the most exact. */
const SAMPLES = 3
/** A difference that operators should know about. */
const NOTABLE_MS = 2_000

/**
 * The database's time, so that all instances agree on when a purchase expires and how old a price
 * is, even if a machine's clock is wrong. Between two samples it advances with the machine’s
 * monotonic counter.
 */
export async function startDatabaseClock(database: Database, log: Log): Promise<RunningClock> {
  let offsetMs = await measureOffset(database)
  let reportedMs = 0

  const now = () => new Date(performance.now() + offsetMs)
  // The machine's wall clock when the process began.
  const compare = () => {
    const differenceMs = Math.round(performance.timeOrigin - offsetMs)
    if (Math.abs(differenceMs - reportedMs) < NOTABLE_MS) return
    reportedMs = differenceMs
    log.warn(
      { differenceMs },
      'This machine’s clock differs from the database’s, which is the one that counts. Set it ' +
        'right',
    )
  }
  const worker = every(SYNC_EVERY_MS, 'sync-clock', log, async () => {
    offsetMs = await measureOffset(database)
    compare()
  })
  return { now, close: () => worker.stop() }
}

/** The offset from the monotonic counter to the time of the database. */
async function measureOffset(database: Database): Promise<number> {
  let best = { tookMs: Infinity, offsetMs: 0 }
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
    const tookMs = performance.now() - askedAt
    const [row] = rows
    if (row === undefined || tookMs >= best.tookMs) continue
    best = { tookMs, offsetMs: row.now.getTime() - (askedAt + tookMs / 2) }
  }
  return best.offsetMs
}
