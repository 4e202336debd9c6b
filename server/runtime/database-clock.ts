import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import type { Clock, Log } from '#server/ports/runtime.ts'
import { every } from './every.ts'

export type RunningClock = Clock & { close(): Promise<void> }

const SYNC_EVERY_MS = 5_000
/** The fastest of several samples is the most exact. */
const SAMPLES = 3
/** A difference that matters. */
const NOTABLE_MS = 2_000

/** From the machine's monotonic counter to two clocks at one moment. */
type Offsets = { databaseMs: number; machineMs: number }

/**
 * The database's time, so that all instances agree on when a purchase expires and how old a price
 * is, even if a machine's clock is wrong. Between two measurements it advances with the machine’s
 * monotonic counter. That stands still while the machine is suspended: where the machine's clock
 * has parted from it, the database is asked at once. The booking refuses what was quoted till then.
 */
export async function startDatabaseClock(database: Database, log: Log): Promise<RunningClock> {
  let offsets = await measureOffsets(database)
  let reportedMs = 0
  let measuring: Promise<void> | null = null

  const compare = () => {
    const differenceMs = Math.round(offsets.machineMs - offsets.databaseMs)
    if (Math.abs(differenceMs - reportedMs) < NOTABLE_MS) return
    reportedMs = differenceMs
    if (Math.abs(differenceMs) < NOTABLE_MS) return
    log.warn(
      { differenceMs },
      'This machine’s clock differs from the database’s, which is the one that counts. Set it ' +
        'right',
    )
  }
  const measureOnce = async () => {
    try {
      offsets = await measureOffsets(database)
      compare()
    } finally {
      measuring = null
    }
  }
  const measure = () => (measuring ??= measureOnce())
  const now = () => {
    const count = performance.now()
    if (Math.abs(Date.now() - count - offsets.machineMs) > NOTABLE_MS) {
      // The regular measurement reports a database that does not answer.
      void measure().catch(() => {})
    }
    return new Date(count + offsets.databaseMs)
  }
  const worker = every(SYNC_EVERY_MS, 'sync-clock', log, measure)
  return { now, close: () => worker.stop() }
}

async function measureOffsets(database: Database): Promise<Offsets> {
  let best = { tookMs: Infinity, databaseMs: 0, machineMs: 0 }
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const askedAt = performance.now()
    const machineMs = Date.now() - askedAt
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
    const tookMs = performance.now() - askedAt
    const [row] = rows
    if (row === undefined || tookMs >= best.tookMs) continue
    best = { tookMs, databaseMs: row.now.getTime() - (askedAt + tookMs / 2), machineMs }
  }
  return best
}
