import { ALL, proportion, type TokenAmount, tokenAmount } from '#domain/money.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { cumulativeAt, monthsAfter, scheduleOf } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'

export type Holding = { tokens: TokenAmount; schedule: ReleaseSchedule }

export type Release = {
  /** In the calendar that all schedules share: 0 is the start. */
  months: number
  /** Null while the start is not set. */
  date: Date | null
  /** What is released here. */
  tokens: TokenAmount
  /** What is released from here on. */
  released: TokenAmount
}

/**
 * How many of the tokens are released this many months after the start: that share of the whole,
 * rounded down. A tranche is the difference of two sums, so it is never off by more than one base
 * unit, and all tranches add up to the tokens, since the last sum is 100 %.
 */
export function released(
  tokens: TokenAmount,
  schedule: ReleaseSchedule,
  months: number,
): TokenAmount {
  return proportion(tokens, cumulativeAt(schedule, months), ALL, 'down')
}

/** What one owner's holdings have released in all, this many months after the start. */
export function releasedOf(holdings: readonly Holding[], months: number): TokenAmount {
  return tokenAmount(
    holdings.reduce((sum, { tokens, schedule }) => sum + released(tokens, schedule, months), 0n),
  )
}

/** The months in which any of the schedules releases something, in order. */
export function releaseMonths(schedules: readonly ReleaseSchedule[]): number[] {
  const months = schedules.flatMap(({ tranches }) => tranches.map((tranche) => tranche.months))
  return [...new Set(months)].toSorted((one, other) => one - other)
}

/**
 * One owner's releases, in order: several schedules on one calendar. A release that brings nothing,
 * because there are too few tokens, is left out.
 */
export function releaseCalendar(holdings: readonly Holding[], startsAt: Date | null): Release[] {
  let before = 0n
  return releaseMonths(holdings.map(({ schedule }) => schedule)).flatMap((months) => {
    const sum = releasedOf(holdings, months)
    const tokens = tokenAmount(sum - before)
    before = sum
    if (tokens === 0n) return []
    const date = startsAt === null ? null : monthsAfter(startsAt, months)
    return [{ months, date, tokens, released: sum }]
  })
}

/**
 * The releases of one owner's tokens from each stage, by the stage's schedule; none if the sale has
 * no schedule.
 */
export function ownerReleases(
  sale: Pick<Sale, 'vesting' | 'stages'>,
  owned: readonly { stageId: string | null; tokens: TokenAmount }[],
): Release[] {
  if (sale.vesting === null) return []
  const holdings = owned.map(({ stageId, tokens }) => {
    return { tokens, schedule: scheduleOf(sale, stageId) }
  })
  return releaseCalendar(holdings, sale.vesting.startsAt)
}
