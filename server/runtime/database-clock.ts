import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import { every } from './every.ts'

export type RunningClock = Clock & { close(): Promise<void> }

const SYNC_EVERY_MS = 30_000
/** Of several askings the quickest answer is the most exact one. */
const SAMPLES = 3
/** A difference worth telling an operator of. */
const NOTABLE_MS = 2_000

/**
 * Tells the time of the database, so that all instances agree on when a purchase expires and how
 * old a price is, however wrong the clock of one machine may be. Between two askings it goes on by
 * the machine's steady counter, which nobody sets.
 */
export async function startDatabaseClock(database: Database, log: Log): Promise<RunningClock> {
  let offsetMs = await measureOffset(database)
  let reportedMs = 0

  const now = () => new Date(performance.now() + offsetMs)
  // The machine's clock as it was when the process began.
  const compare = () => {
    const differenceMs = Math.round(performance.timeOrigin - offsetMs)
    if (Math.abs(differenceMs - reportedMs) < NOTABLE_MS) return
    reportedMs = differenceMs
    log.warn(
      { differenceMs },
      'The clock of this machine differs from the database’s, which is the one that counts. Set it',
    )
  }
  const worker = every(SYNC_EVERY_MS, 'sync-clock', log, async () => {
    offsetMs = await measureOffset(database)
    compare()
  })
  return { now, close: () => worker.stop() }
}

/** What has to be added to the steady counter to get the database's time. */
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
