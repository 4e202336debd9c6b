import { auditBooks } from '#server/database/books/audit-books.ts'
import { findAudit, saveAudit, type StoredAudit } from '#server/database/books/audits.ts'
import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import type { Services } from '#server/services.ts'

const LEASE = 'audit'
const LEASE_MS = 60_000
const DAY_MS = 86_400_000
/** In UTC: late in the Americas, early in Europe. */
const QUIET_HOUR_MS = 3 * 3_600_000
/** The worker pauses for just as long, so it never takes more than half of a connection. */
const SLICE_MS = 1_000
/** How often it is checked whether an audit is due. */
const ASKED_EVERY_MS = 60_000
/** For each statement, which covers one page. */
const TIMEOUT_MS = 9_000
/** More breaches in the log would not make anything clearer. */
const LISTED_MAX = 20

type Run = {
  pages: ReturnType<typeof auditBooks>
  startedAt: number
  notRun: StoredAudit['notRun']
}

/**
 * Makes a worker step that checks everything in the database, once a day at a quiet hour, on one of
 * all instances, however long that takes. The guard only checks what was changed in ways that it
 * knows of. A breach is noted for the guard, which pauses the sale within a minute. A step takes
 * about a second.
 */
export function createAudit(): (services: Services) => Promise<void> {
  let run: Run | null = null
  let askAt = -Infinity

  return async (services) => {
    const startedAt = performance.now()
    if (run === null) {
      if (startedAt < askAt) return
      askAt = startedAt + ASKED_EVERY_MS
      run = await begin(services)
      if (run === null) return
    }
    try {
      if (await isDone(run, startedAt + SLICE_MS)) {
        await keep(services, run)
        run = null
        return
      }
    } catch (fault) {
      run = null
      throw fault
    }
    await endLeaseAt(services.database, LEASE, inLease(services))
  }
}

const inLease = ({ clock }: Services) => new Date(clock.now().getTime() + LEASE_MS)

/** Null if none is due, or another instance is running it. */
async function begin({ database, clock }: Services): Promise<Run | null> {
  const now = clock.now()
  const last = await findAudit(database)
  if (last !== null && last.endedAt >= lastQuietHour(now)) return null
  if (!(await acquireLease(database, LEASE, now, LEASE_MS, 2 * LEASE_MS))) return null
  return { pages: auditBooks(database, TIMEOUT_MS), startedAt: performance.now(), notRun: [] }
}

function lastQuietHour(now: Date): Date {
  const days = Math.floor((now.getTime() - QUIET_HOUR_MS) / DAY_MS)
  return new Date(days * DAY_MS + QUIET_HOUR_MS)
}

async function isDone(run: Run, until: number): Promise<boolean> {
  do {
    const next = await run.pages.next()
    if (next.done === true) return true
    run.notRun = [...run.notRun, ...next.value].slice(0, LISTED_MAX)
  } while (performance.now() < until)
  return false
}

async function keep(services: Services, { startedAt, notRun }: Run): Promise<void> {
  const durationMs = Math.round(performance.now() - startedAt)
  await saveAudit(services.database, { endedAt: services.clock.now(), durationMs, notRun })
  if (notRun.length === 0) {
    services.log.info({ durationMs }, 'All of the books were checked')
    return
  }
  services.log.error(
    { notRun },
    'Not all of the books could be checked. The server tries again tomorrow; see docs/operate.md',
  )
}
