import { ALL, type Percentage, percentage } from '#domain/money.ts'
import type { ReleaseSchedule, Tranche } from './offer.ts'
import type { Sale } from './sale.ts'

/** How a sale file without `vesting` is read: nothing is held back. */
export const AT_ONCE: ReleaseSchedule = {
  shape: 'instant',
  tranches: [{ months: 0, percentage: ALL }],
}

export type LinearRelease = {
  /** At the start. */
  first: Percentage
  /** The month of the last release. */
  months: number
  /** Null if the rest starts to be released a month after the start. */
  cliff: { months: number; percentage: Percentage } | null
}

/**
 * The tranches of a linear release: the first part at the start, another one at the cliff if there
 * is one, and the rest in equal monthly parts from then on. Fractions are rounded down by the sum
 * so far, so that the last sum is 100 % and no tranche is off by more than one unit of 10⁻⁴ %.
 */
export function linearSchedule({ first, months, cliff }: LinearRelease): ReleaseSchedule {
  const from = cliff?.months ?? 0
  const held = first + (cliff?.percentage ?? 0n)
  const [steps, rest] = [BigInt(months - from), ALL - held]
  const cumulative: [months: number, percentage: bigint][] = [
    [0, first],
    // Nothing more than at the start if there is no cliff, and so left out below.
    [from, held],
    ...Array.from({ length: months - from }, (_, nth): [number, bigint] => [
      from + nth + 1,
      held + (rest * BigInt(nth + 1)) / steps,
    ]),
  ]
  const tranches = cumulative.map(([month, sum], nth): Tranche => {
    return { months: month, percentage: percentage(sum - (cumulative[nth - 1]?.[1] ?? 0n)) }
  })
  return releaseSchedule(
    cliff === null ? 'linear' : 'cliff',
    tranches.filter((tranche) => tranche.percentage > 0n),
  )
}

/**
 * A schedule of the given shape, or of the shape `instant` if everything is released at the start.
 */
export function releaseSchedule(
  shape: 'cliff' | 'linear' | 'tranches',
  tranches: readonly Tranche[],
): ReleaseSchedule {
  const isInstant = tranches.length === 1 && tranches[0]?.months === 0
  return { shape: isInstant ? 'instant' : shape, tranches }
}

/** How much of the whole is released this many months after the start. */
export function cumulativeAt({ tranches }: ReleaseSchedule, months: number): Percentage {
  const past = tranches.filter((tranche) => tranche.months <= months)
  return percentage(past.reduce((sum, tranche) => sum + tranche.percentage, 0n))
}

/**
 * How the tokens of a stage are released: as the stage says, or else as the sale does.
 * @param stageId Null if no stage is known.
 */
export function scheduleOf(
  { vesting, stages }: Pick<Sale, 'vesting' | 'stages'>,
  stageId: string | null,
): ReleaseSchedule {
  return stages.find(({ id }) => id === stageId)?.vesting ?? vesting ?? AT_ONCE
}

/**
 * The same day and time a number of calendar months later in UTC, or the last day of a shorter
 * month: a month after 31 January is 28 or 29 February, and two months after it 31 March.
 */
export function monthsAfter(start: Date, months: number): Date {
  const date = new Date(start)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date
}
