import {
  add,
  ALL,
  greatest,
  multiplyDivide,
  percentage,
  type Percentage,
  proportion,
  subtract,
  type TokenAmount,
} from '#domain/money.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { cumulativeAt, monthsAfter } from '#domain/sale/release-schedule.ts'

/**
 * A release schedule in the form of Sablier's campaigns: percentages with 18 decimals (100 % is
 * 10^18), as digits, and durations in seconds.
 */
export type ToolSchedule =
  | {
      kind: 'tranched'
      /** Seconds since 1970. A stream starts before its first tranche: by one second. */
      vesting_start_time: number
      tranches: { unlock_percentage: string; duration: number }[]
    }
  | {
      kind: 'linear'
      vesting_start_time: number
      start_unlock_percentage: string
      cliff_duration: number
      cliff_unlock_percentage: string
      total_duration: number
    }

/** From 10⁻⁴ % to 10⁻¹⁶ %. */
const TO_FIXED_18 = 10n ** 12n
const FIXED_18 = 10n ** 18n

/** For a campaign whose tranches are the releases themselves, at their times to the second. */
export function tranchedSchedule(startsAt: Date, { tranches }: ReleaseSchedule): ToolSchedule {
  const start = secondsOf(startsAt) - 1
  let before = start
  return {
    kind: 'tranched',
    vesting_start_time: start,
    tranches: tranches.map(({ months, percentage: part }) => {
      const at = secondsOf(monthsAfter(startsAt, months))
      const duration = at - before
      before = at
      return { unlock_percentage: fixed18(part), duration }
    }),
  }
}

/**
 * For a campaign that releases the rest second by second, from the cliff or the start to the last
 * release. Months differ in length, so its first part is larger than promised by as much as it
 * takes for the stream to be behind on no day of a release. Null for a schedule that is not linear:
 * one with a single release after the start, or with its own tranches.
 */
export function linearSchedule(startsAt: Date, schedule: ReleaseSchedule): ToolSchedule | null {
  const { shape, tranches } = schedule
  if (shape !== 'linear' && shape !== 'cliff') return null
  const initial = tranches.find(({ months }) => months === 0)?.percentage ?? percentage(0n)
  const later = tranches.filter(({ months }) => months > 0)
  const [first, last] = [later[0], later.at(-1)]
  if (last === undefined || first === last) return null
  const cliff = shape === 'cliff' ? first : undefined
  const durationTo = (months: number) =>
    secondsOf(monthsAfter(startsAt, months)) - secondsOf(startsAt)
  const from = cliff === undefined ? 0 : durationTo(cliff.months)
  const total = durationTo(last.months)
  const needed = later.slice(0, -1).map(({ months }) => {
    const past = durationTo(months) - from
    return heldAtLeast(cumulativeAt(schedule, months), [past, total - from])
  })
  const promised = add(initial, cliff?.percentage ?? percentage(0n))
  const held = greatest(promised, ...needed)
  const start = cliff === undefined ? held : initial
  return {
    kind: 'linear',
    vesting_start_time: secondsOf(startsAt),
    start_unlock_percentage: fixed18(start),
    cliff_duration: from,
    cliff_unlock_percentage: fixed18(subtract(held, start)),
    total_duration: total,
  }
}

/** What is released before a line begins, so that a share is reached after a part of its time. */
function heldAtLeast(share: Percentage, [past, whole]: readonly [number, number]): Percentage {
  const [over, left] = [share * BigInt(whole) - ALL * BigInt(past), BigInt(whole - past)]
  return percentage(multiplyDivide(over > 0n ? over : 0n, 1n, left, 'up'))
}

export function isSameSchedule(one: ToolSchedule, other: ToolSchedule): boolean {
  return textOf(one) === textOf(other)
}

/** A stored schedule has its fields in another order. */
function textOf(schedule: ToolSchedule): string {
  const steps =
    schedule.kind === 'tranched'
      ? schedule.tranches.map((each) => `${each.unlock_percentage} after ${each.duration}`)
      : [
          schedule.start_unlock_percentage,
          `${schedule.cliff_unlock_percentage} after ${schedule.cliff_duration}`,
          `the rest until ${schedule.total_duration}`,
        ]
  return [schedule.kind, schedule.vesting_start_time, ...steps].join(', ')
}

/**
 * What one wallet gets at each step, rounded like Sablier's contracts: each tranche rounded down,
 * with the rest in the last one (`SablierMerkleLT`); the parts at the start and at the cliff
 * rounded down, and the rest streamed (`SablierMerkleLL`).
 */
export function scheduledAmounts(amount: bigint, schedule: ToolSchedule): bigint[] {
  const parts =
    schedule.kind === 'tranched'
      ? schedule.tranches.slice(0, -1).map((tranche) => tranche.unlock_percentage)
      : [schedule.start_unlock_percentage, schedule.cliff_unlock_percentage]
  const amounts = parts.map((part) => (amount * BigInt(part)) / FIXED_18)
  return [...amounts, amounts.reduce((left, part) => left - part, amount)]
}

/** What a stream of so many tokens has released by an instant, rounded down. */
export function streamedAt(tokens: TokenAmount, schedule: ToolSchedule, at: Date): TokenAmount {
  const past = secondsOf(at) - schedule.vesting_start_time
  return proportion(tokens, shareStreamed(schedule, past), FIXED_18, 'down')
}

/** The share of a stream that is released so many seconds after its start, with 18 decimals. */
function shareStreamed(schedule: ToolSchedule, past: number): bigint {
  if (past < 0) return 0n
  if (schedule.kind === 'tranched') {
    let at = 0
    return schedule.tranches.reduce((sum, { unlock_percentage: part, duration }) => {
      at += duration
      return at <= past ? sum + BigInt(part) : sum
    }, 0n)
  }
  const { cliff_duration: cliff, total_duration: total } = schedule
  const start = BigInt(schedule.start_unlock_percentage)
  if (past < cliff) return start
  if (past >= total) return FIXED_18
  const held = start + BigInt(schedule.cliff_unlock_percentage)
  const [over, whole] = [BigInt(past - cliff), BigInt(total - cliff)]
  return held + multiplyDivide(FIXED_18 - held, over, whole, 'down')
}

function fixed18(part: Percentage): string {
  return String(part * TO_FIXED_18)
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
