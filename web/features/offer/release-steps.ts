import { percentageFromWire, unitsFromWire } from '#contract/codec.ts'
import type { Vesting } from '#contract/sale-page-shapes.ts'
import { percentOf, proportion, toWireNumber, tokenAmount } from '#domain/money.ts'
import { shownDecimals } from '#domain/sale/shown-tokens.ts'
import { WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'

/** One release of a buyer's tokens. */
export interface ReleaseStep {
  /** How many months after the start; 0 is the start itself. */
  month: number
  /** Null while the start is not set. */
  date: Date | null
  /** In whole tokens: what comes free here, and what is free from here on. */
  part: number
  free: number
  /** `free` of 1,000, for the drawing. */
  freePermille: number
}

const PERMILLE = 1000n

/**
 * The releases in order: the first percentage at the start, the rest in equal parts a calendar
 * month (UTC) apart. They are cut to the decimals that are shown, and what that leaves goes to the
 * last one: so what is shown adds up to the whole.
 */
export function releaseSteps(vesting: Vesting, tokens: number): ReleaseStep[] {
  const whole = tokenAmount(unitsFromWire(tokens, WIRE_DECIMALS))
  const first = percentOf(whole, percentageFromWire(vesting.first_percentage))
  const later = tokenAmount(whole - first)
  const months = BigInt(vesting.months)
  const unit = 10n ** BigInt(WIRE_DECIMALS - shownDecimals([whole], WIRE_DECIMALS))
  const freeAt = (month: number) => {
    if (month === vesting.months) return whole
    const free = first + proportion(later, BigInt(month), months, 'down')
    return free - (free % unit)
  }
  return Array.from({ length: vesting.months + 1 }, (_, month) => {
    const free = freeAt(month)
    const before = month === 0 ? 0n : freeAt(month - 1)
    return {
      month,
      date: vesting.start_date === null ? null : monthsAfter(vesting.start_date, month),
      part: toWireNumber(free - before, WIRE_DECIMALS),
      free: toWireNumber(free, WIRE_DECIMALS),
      freePermille: whole === 0n ? 0 : Number((free * PERMILLE) / whole),
    }
  }).filter(({ part }) => part > 0)
}

/** The same day so many months later in UTC, or the last day of a month that is shorter. */
function monthsAfter(start: string, months: number): Date {
  const date = new Date(start)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date
}
