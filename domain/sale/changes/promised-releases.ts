import { formatDecimal, parseDecimal, percentage, PERCENTAGE_DECIMALS } from '#domain/money.ts'
import { NOTHING, type SaleDescription } from './describe-sale.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { AT_ONCE, cumulativeAt, monthsAfter, scheduleOf } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'

/** A part of a sale file that contradicts what has happened: where, and what was expected there. */
export type HistoryFault = { path: string; message: string }

/**
 * How a sale file would break the releases that buyers were promised: for a stage that was bought
 * from, no month may release less than before, and a start that was set may not move to a later
 * date. A sale without a schedule held nothing back, so everything counts as promised at the start,
 * whose day was not set. Streams cannot follow a better schedule either: once there are any, it
 * stays as it is.
 * @param history The stages in which any purchase or reward was made.
 */
export function releaseFaults(
  previous: SaleDescription,
  next: Sale,
  { stageIds, hasStreams }: { stageIds: ReadonlySet<string>; hasStreams: boolean },
): HistoryFault[] {
  // An older server kept no schedule to compare with.
  const isKnown = previous['sale']?.['vesting.tranches'] !== undefined
  if (stageIds.size === 0 || !isKnown) return []
  const faults = [
    ...startFaults(previous, next, { stageIds, hasStreams }),
    ...scheduleFaults(previous, next, { stageIds, hasStreams }),
  ]
  // Stages that use the sale's schedule have the same fault.
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()]
}

const STREAMS = 'buyers were given streams with this schedule'

function startFaults(
  previous: SaleDescription,
  next: Sale,
  { stageIds, hasStreams }: { stageIds: ReadonlySet<string>; hasStreams: boolean },
): HistoryFault[] {
  const { vesting } = next
  const before = previous['sale']?.['vesting.starts'] ?? NOTHING
  if (before === NOTHING) return []
  const startsAt = vesting?.startsAt ?? null
  const found = startsAt === null ? NOTHING : startsAt.toISOString()
  if (found === before) return []
  if (!hasStreams && startsAt !== null && startsAt <= new Date(before)) {
    const start = { before: new Date(before), startsAt }
    return [...stageIds].flatMap((id) => lateRelease(previous, next, id, start)).slice(0, 1)
  }
  const expected = hasStreams
    ? `${before}, since ${STREAMS}`
    : `${before} or earlier, since tokens were bought`
  const message = `expected ${expected}, found ${found}`
  return [{ path: vesting === null ? 'vesting' : 'vesting.starts', message }]
}

/** Months end on different days: a start that is hours earlier can be a release that is later. */
function lateRelease(
  previous: SaleDescription,
  next: Sale,
  stageId: string,
  { before, startsAt }: { before: Date; startsAt: Date },
): HistoryFault[] {
  const promised = promisedSchedule(previous, stageId)
  const schedule = scheduleOf(next, stageId)
  for (const { months } of promised.tranches) {
    const share = cumulativeAt(promised, months)
    const reached = schedule.tranches.find((each) => cumulativeAt(schedule, each.months) >= share)
    const due = monthsAfter(before, months)
    const found = monthsAfter(startsAt, reached?.months ?? months)
    if (found <= due) continue
    const message =
      `expected a start that makes no promised release later: that of month ${months} was due ` +
      `${due.toISOString()}, found ${found.toISOString()}`
    return [{ path: 'vesting.starts', message }]
  }
  return []
}

function scheduleFaults(
  previous: SaleDescription,
  next: Sale,
  { stageIds, hasStreams }: { stageIds: ReadonlySet<string>; hasStreams: boolean },
): HistoryFault[] {
  return next.stages.flatMap((stage, index): HistoryFault[] => {
    if (!stageIds.has(stage.id)) return []
    const promised = promisedSchedule(previous, stage.id)
    const schedule = scheduleOf(next, stage.id)
    const other = [...promised.tranches, ...schedule.tranches].find(({ months }) => {
      const [before, after] = [cumulativeAt(promised, months), cumulativeAt(schedule, months)]
      return after < before || (hasStreams && after > before)
    })
    if (other === undefined) return []
    const inPercent = (each: ReleaseSchedule) =>
      `${formatDecimal(cumulativeAt(each, other.months), PERCENTAGE_DECIMALS)} %`
    const [more, since] = hasStreams
      ? ['', STREAMS]
      : [' or more', `tokens of ${stage.id} were bought`]
    const message =
      `expected ${inPercent(promised)}${more} released by month ${other.months}, since ${since}, ` +
      `found ${inPercent(schedule)}`
    return [{ path: stage.vesting === null ? 'vesting' : `stages[${index}].vesting`, message }]
  })
}

function promisedSchedule(previous: SaleDescription, stageId: string): ReleaseSchedule {
  const fields = [previous[stageId], previous['sale']]
  const text = fields
    .map((each) => each?.['vesting.tranches'] ?? NOTHING)
    .find((each) => each !== NOTHING)
  return text === undefined ? AT_ONCE : { shape: 'tranches', tranches: readTranches(text) }
}

const TRANCHE = /([\d.]+) % in month (\d+)/g

/** As `describeSale` writes them. */
function readTranches(text: string): ReleaseSchedule['tranches'] {
  return [...text.matchAll(TRANCHE)].map(([, share = '', months = '']) => ({
    months: Number(months),
    percentage: percentage(parseDecimal(share, PERCENTAGE_DECIMALS) ?? 0n),
  }))
}
