import { Refusal } from '#domain/refusal.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import {
  findReport,
  lockPause,
  readPause,
  savePause,
  type StoredReport,
} from '#server/database/sale/sale-pause.ts'
import { findClosedAt } from '#server/database/sale/soft-cap.ts'
import type { AcceptedBreach } from '#server/database/tables/sale-tables.ts'
import type { Services } from '#server/services.ts'
import { getSaleState, type SaleState } from './get-sale-state.ts'
import { inspectInvariants } from './guard-invariants.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'

const BETWEEN_REASONS = '; and: '

/**
 * Stops selling at once; what was bought is still settled. A sale that is already paused is paused
 * anew by another reason: whoever resumes it reads the first and the newest, and what was asked for
 * before it was known ends no such pause.
 */
export async function pauseSale(services: Services, reason: string, operator: Operator) {
  await services.database.transaction().execute(async (transaction) => {
    const pause = await lockPause(transaction)
    const reasons = pause.paused?.reason.split(BETWEEN_REASONS) ?? []
    if (reasons.includes(reason)) return
    const both = [...reasons.slice(0, 1), reason].join(BETWEEN_REASONS)
    await savePause(transaction, {
      ...pause,
      paused: { reason: both, since: services.clock.now() },
    })
    const action = { act: 'pauseSale' as const, details: { reason } }
    await recordAction(services, transaction, operator, action)
    await notifyLive(transaction, [{ kind: 'stage' }])
  })
  services.market.invalidate()
  return await getSaleState(services)
}

/**
 * Resumes a paused sale, if a check made now finds that the books agree. With force it resumes in
 * spite of breaches, and the same breaches do not pause it again; if the sale file says so, that
 * waits for a second person, who approves of the faults in `approved` and no others, and of the end
 * of that pause and no other: throws `WaitsForApproval`. Where `seen` has faults, force covers
 * these alone, and where it has a pause, no other is ended. Refuses with `BooksDisagree`, also if
 * another check found a breach meanwhile, with `ApprovalChanged` if the sale was resumed or paused
 * since it was seen or asked for or meanwhile, with `SaleClosed` below the soft cap, and with
 * `SaleFrozen` once the books are closed: then force only accepts the breaches, so that a
 * correction can be taken, and the sale stays paused.
 */
export async function resumeSale(
  services: Services,
  {
    isForced,
    seen = {},
    approved,
  }: {
    isForced: boolean
    /** What the operator's screen shows; whatever is left out is not compared. */
    seen?: { faults?: readonly string[] | undefined; pausedAt?: Date | null | undefined }
    approved?: { faults: readonly string[]; pausedAt: string | null }
  },
  operator: Operator,
): Promise<SaleState> {
  const before = await readPause(services.database)
  if (seen.pausedAt !== undefined && instantOf(before.paused?.since) !== instantOf(seen.pausedAt)) {
    throw pauseChanged('seen')
  }
  const report = await inspectInvariants(services)
  const faults = faultsOf(report)
  const isSound = faults.length === 0
  if (!isSound && !isForced) throw new Refusal('BooksDisagree', { message: whyNot(report) })

  const others = withoutFaults(report, approved?.faults ?? seen.faults ?? faults)
  if (faultsOf(others).length > 0) {
    throw otherFaults(others, approved === undefined ? 'you looked' : 'this was asked for')
  }

  await actOrWait(services, operator, async (transaction) => {
    const pause = await lockPause(transaction)
    if ((await findClosedAt(transaction)) !== null) throw new Refusal('SaleClosed')
    const isFrozen = (await findLastSnapshot(transaction)) !== null
    if (isFrozen && report.breaches.length === 0) throw new Refusal('SaleFrozen')
    const pausedAt = instantOf(pause.paused?.since)
    // The check may have paused the sale itself, by the faults that are known here.
    const known = report.pausedAt ?? before.paused?.since
    if (pausedAt !== (approved === undefined ? instantOf(known) : approved.pausedAt)) {
      throw pauseChanged(approved === undefined ? 'checking' : 'asked')
    }
    const latest = withoutFaults((await findReport(transaction)) ?? report, faults)
    if (latest.breaches.length > 0) {
      throw otherFaults({ ...latest, notRun: [] }, 'the books were checked')
    }
    if (!isSound && services.sale.approvals.resume) {
      const waits = await requireApproval(services, transaction, operator, {
        act: 'resumeSale',
        input: { force: true, breaches: faults, paused_date: pausedAt },
        summary:
          `${isFrozen ? 'Accept' : 'Resume the sale despite'} what the check of the books found ` +
          `(faults: ${faults.length})${isFrozen ? '; the sale stays paused' : ''}`,
        about: null,
        usd: null,
      })
      if (waits !== null) return waits
    }
    const accepted = report.breaches.map(({ check, subject }) => ({ check, subject }))
    await savePause(transaction, { paused: isFrozen ? pause.paused : null, accepted })
    const details = {
      force: String(isForced),
      breaches: String(accepted.length),
      ...(isFrozen && { stays_paused: 'true' }),
    }
    await recordAction(services, transaction, operator, { act: 'resumeSale', details })
    if (pause.paused !== null && !isFrozen) await notifyLive(transaction, [{ kind: 'stage' }])
    return null
  })
  services.market.invalidate()
  return await getSaleState(services)
}

const instantOf = (at: Date | null | undefined) => at?.toISOString() ?? null

function pauseChanged(since: keyof typeof pauseChanges): Refusal {
  return new Refusal('ApprovalChanged', { message: pauseChanges[since] })
}

const pauseChanges = {
  seen: 'The sale was paused or resumed since you looked. Look at it again',
  checking: 'The sale was paused or resumed while its books were checked. Look at it again',
  asked: 'The sale was resumed or paused again since this was asked for',
}

function otherFaults(others: StoredReport, since: string): Refusal {
  const message = `Other faults have been found since ${since}. ${whyNot(others)}`
  return new Refusal('BooksDisagree', { message })
}

/** A name that stays the same as long as the fault does. */
export const breachName = ({ check, subject }: AcceptedBreach) => `${check} ${subject}`
export const notRunName = ({ check }: { check: string }) => `${check} could not be checked`

function faultsOf({ breaches, notRun }: StoredReport): string[] {
  return [...breaches.map(breachName), ...notRun.map(notRunName)]
}

function withoutFaults(report: StoredReport, names: readonly string[]): StoredReport {
  return {
    ...report,
    breaches: report.breaches.filter((each) => !names.includes(breachName(each))),
    notRun: report.notRun.filter((each) => !names.includes(notRunName(each))),
  }
}

const LISTED_MAX = 5

function whyNot({ breaches, notRun }: StoredReport): string {
  const faults = [
    ...breaches.map(({ fault }) => fault),
    ...notRun.map(({ check, fault }) => `${check} could not be checked (${fault})`),
  ]
  const more = faults.length > LISTED_MAX ? ` And ${faults.length - LISTED_MAX} more.` : ''
  const listed = faults.slice(0, LISTED_MAX).join('. ')
  const what = breaches.length > 0 ? 'do not agree' : 'could not all be checked'
  return (
    `The books of the sale ${what}: ${listed}.${more} Correct them before the sale goes on, ` +
    'or resume by force'
  )
}
