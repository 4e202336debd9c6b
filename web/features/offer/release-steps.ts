import { instantFromWire, orNull, scheduleFromWire, unitsFromWire } from '#contract/codec.ts'
import type { OwnReleases } from '#contract/delivery/releases.ts'
import type { ReleaseSchedule, Vesting } from '#contract/sale-page-shapes.ts'
import { monthsAfter } from '#domain/sale/release-schedule.ts'
import { type Release, releaseCalendar } from '#domain/delivery/release.ts'
import { parseDecimal, toWireNumber, tokenAmount } from '#domain/money.ts'
import { shownDecimals } from '#domain/sale/shown-tokens.ts'
import { WIRE_DECIMALS } from '#web/lib/format/token-amounts.ts'

/** One release of a buyer's tokens, as it is shown. */
export interface ReleaseStep {
  /** How many months after the start; 0 is the start itself. */
  month: number
  /** Null while the start is not set. */
  date: Date | null
  /** In whole tokens: what is released on this date, and what is released from it on. */
  part: number
  free: number
  /** The share of `free` in a thousand, rounded to the nearest, for the drawing. */
  freePermille: number
}

/** The releases of one owner, in base units of so many decimals. */
export interface Releases {
  releases: readonly Release[]
  decimals: number
}

const PERMILLE = 1000n

/**
 * When an amount of tokens, as the wire has it, is released.
 * @param schedule Of the tokens' stage; null if that is as the sale's.
 */
export function releasesOf(
  { start_date, ...rest }: Vesting,
  schedule: ReleaseSchedule | null,
  tokens: number,
): Releases {
  const holding = {
    tokens: tokenAmount(unitsFromWire(tokens, WIRE_DECIMALS)),
    schedule: scheduleFromWire(schedule ?? rest),
  }
  return {
    releases: releaseCalendar([holding], orNull(start_date, instantFromWire)),
    decimals: WIRE_DECIMALS,
  }
}

/** When the first tokens are released; null until the start is set. */
export function firstReleaseAt(
  vesting: Vesting | null,
  schedule: ReleaseSchedule | null,
): Date | null {
  if (vesting?.start_date == null) return null
  const months = (schedule ?? vesting).tranches[0]?.months ?? 0
  return monthsAfter(instantFromWire(vesting.start_date), months)
}

/** The user's own, as the server computed them. */
export function releasesFromWire({ releases }: OwnReleases, decimals: number): Releases {
  const units = (text: string) => tokenAmount(parseDecimal(text, decimals) ?? 0n)
  return {
    releases: releases.map(({ month, date, tokens, released }) => ({
      months: month,
      date: orNull(date, instantFromWire),
      tokens: units(tokens),
      released: units(released),
    })),
    decimals,
  }
}

/**
 * The figures to show: released amounts are cut to the shown decimals, except at the end, and a
 * part is a difference. So what is shown adds up to the whole.
 */
export function releaseSteps({ releases, decimals }: Releases): ReleaseStep[] {
  const whole = releases.at(-1)?.released ?? 0n
  const unit = 10n ** BigInt(decimals - shownDecimals([whole], decimals))
  let before = 0n
  return releases
    .map(({ months, date, released }): ReleaseStep => {
      const free = released === whole ? whole : released - (released % unit)
      const part = free - before
      before = free
      return {
        month: months,
        date,
        part: toWireNumber(part, decimals),
        free: toWireNumber(free, decimals),
        freePermille: whole === 0n ? 0 : Number((free * PERMILLE + whole / 2n) / whole),
      }
    })
    .filter(({ part }) => part > 0)
}
