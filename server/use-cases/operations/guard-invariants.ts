import type { Breach } from '#server/database/books/breach.ts'
import { checkInvariants } from '#server/database/books/check-books.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import {
  findReport,
  lockPause,
  savePause,
  saveReport,
  type StoredReport,
} from '#server/database/sale/sale-pause.ts'
import type { AcceptedBreach } from '#server/database/tables/sale-tables.ts'
import { acquireLease, endLeaseAt } from '#server/database/connection/leases.ts'
import type { Services } from '#server/services.ts'

const LEASE = 'invariants'
const CHECK_EVERY_MS = 60_000
/** A check takes at most this share of one connection's time, however large the sale is. */
const PAUSE_PER_DURATION = 10
const LONGEST_LEASE_MS = 20 * CHECK_EVERY_MS
/** For each check of what was changed; below the limit for every statement. */
const CHECK_TIMEOUT_MS = 9_000
/** More breaches in the log would not make anything clearer. */
const LISTED_MAX = 20

/**
 * Checks once a minute, on one of all instances, that what was changed leaves the books in
 * agreement, and pauses the sale if not. It never resumes the sale: that takes an operator who
 * knows what was wrong.
 */
export async function guardInvariants(services: Services): Promise<void> {
  const { database, clock } = services
  if (!(await acquireLease(database, LEASE, clock.now(), CHECK_EVERY_MS, LONGEST_LEASE_MS))) return
  const { durationMs } = await inspectInvariants(services)
  const pauseMs = Math.max(CHECK_EVERY_MS, durationMs * PAUSE_PER_DURATION)
  await endLeaseAt(database, LEASE, new Date(clock.now().getTime() + pauseMs))
}

type Inspection = StoredReport & {
  /** When this check has paused the sale; null if it has not. */
  pausedAt: Date | null
}

/**
 * Checks now what was changed since the last check, stores the result, and pauses the sale on a
 * breach. The result has what a check that ended meanwhile has found too.
 */
export async function inspectInvariants(services: Services): Promise<Inspection> {
  const startedAt = performance.now()
  const before = await findReport(services.database)
  const found = await checkInvariants(services.database, CHECK_TIMEOUT_MS)
  const durationMs = Math.round(performance.now() - startedAt)
  const own = { ...found, durationMs, checkedAt: services.clock.now() }
  if (own.notRun.length > 0) {
    services.log.error(
      { notRun: own.notRun },
      'Some invariants could not be checked, so a fault in the books would not be noticed. ' +
        'The server checks them again in a minute, and the sale goes on meanwhile; see ' +
        'docs/operate.md',
    )
  }
  const report = await keepReport(services, own, before)
  if (report.breaches.length > 0) logBreaches(services, report)
  return report
}

async function keepReport(
  services: Services,
  own: StoredReport,
  before: StoredReport | null,
): Promise<Inspection> {
  const { database, clock } = services
  const kept = await database.transaction().execute(async (transaction) => {
    const pause = await lockPause(transaction)
    const last = await findReport(transaction)
    const isLastNew = last?.checkedAt.getTime() !== before?.checkedAt.getTime()
    const report = isLastNew && last !== null ? withBreachesOf(own, last) : own
    await saveReport(transaction, report)
    const stillAccepted = pause.accepted.filter((accepted) => isStillOpen(accepted, report))
    const unaccepted = report.breaches.filter((breach) => !isAmong(breach, pause.accepted))
    const pausedAt = unaccepted.length > 0 && pause.paused === null ? clock.now() : null
    const paused =
      pausedAt === null ? pause.paused : { reason: reasonOf(unaccepted), since: pausedAt }
    if (pausedAt !== null || stillAccepted.length < pause.accepted.length) {
      await savePause(transaction, { paused, accepted: stillAccepted })
    }
    if (pausedAt !== null) await notifyLive(transaction, [{ kind: 'stage' }])
    return { ...report, pausedAt }
  })
  if (kept.pausedAt !== null) services.market.invalidate()
  return kept
}

/** Of two checks at once, each may have been past what the other found. */
function withBreachesOf(report: StoredReport, { breaches }: StoredReport): StoredReport {
  const others = breaches.filter((breach) => !isAmong(breach, report.breaches))
  return { ...report, breaches: [...report.breaches, ...others] }
}

/** A breach that disappears and comes back is a new one. */
function isStillOpen(accepted: AcceptedBreach, { breaches, notRun }: StoredReport): boolean {
  return isAmong(accepted, breaches) || notRun.some(({ check }) => check === accepted.check)
}

function isAmong({ check, subject }: AcceptedBreach, others: readonly AcceptedBreach[]): boolean {
  return others.some((other) => other.check === check && other.subject === subject)
}

function reasonOf(breaches: readonly Breach[]): string {
  const [first, ...others] = breaches
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `The books do not agree: ${first?.fault ?? ''}${more}`
}

function logBreaches(services: Services, { breaches, pausedAt }: Inspection): void {
  const facts = {
    count: breaches.length,
    breaches: breaches.slice(0, LISTED_MAX).map(({ check, fault }) => `${check}: ${fault}`),
  }
  const what =
    pausedAt !== null
      ? 'The books of the sale do not agree, so it was paused'
      : 'The books of the sale still do not agree'
  services.log.error(
    facts,
    `${what}. Keep a copy of the database, find out why, correct the books, and then run "npm ` +
      'run operator -- resume"; see docs/operate.md',
  )
}
