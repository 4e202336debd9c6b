import { ALL, formatDecimal, percentage, PERCENTAGE_DECIMALS } from '#domain/money.ts'
import type { ReleaseSchedule, Tranche, Vesting } from '#domain/sale/offer.ts'
import { linearSchedule, releaseSchedule } from '#domain/sale/release-schedule.ts'
import type { Stage } from '#domain/sale/sale.ts'
import type { Place } from './document/place.ts'
import {
  converted,
  type Field,
  list,
  optional,
  readField,
  type Reader,
  type Readings,
  required,
  section,
} from './document/readers.ts'
import { percentUpTo100, wholeNumber } from './document/values.ts'

const MONTHS_MAX = 120

/** When tokens are released; `when` reads the start. */
export function vesting(when: Reader<Date>): Reader<Vesting> {
  const schedule = scheduleWith(
    'a map with first_percentage and months, or with tranches, and, once it is set, starts',
    // Read below: here it is only a key that may be present.
    { starts: optional({ expected: when.expected, read: () => null }, null) },
  )
  return {
    expected: schedule.expected,
    read(place) {
      const given = schedule.read(place)
      const startsAt = readField(place.at('starts'), optional(when, null))
      return given && startsAt !== undefined ? { ...given, startsAt } : undefined
    },
  }
}

/** Reports stages that say how their tokens are released although the sale does not. */
export function vestingFitsStages(
  given: Vesting | null | undefined,
  stages: readonly Stage[] | undefined,
  place: Place,
): void {
  const index = stages?.findIndex((stage) => stage.vesting !== null) ?? -1
  if (given !== null || index < 0) return
  place.mismatch(
    `how all other tokens are released, since stages[${index}] has a vesting of its own`,
  )
}

/** Either form: a linear release, perhaps with a cliff, or tranches. */
function scheduleWith(
  expected: string,
  others: Record<string, Field<unknown>>,
): Reader<ReleaseSchedule> {
  const linear = linearForm(expected, others)
  const inTranches = trancheForm(expected, others)
  return {
    expected,
    read: (place) => (place.at('tranches').isAbsent ? linear : inTranches).read(place),
  }
}

const linearFields = {
  first_percentage: required(percentUpTo100),
  months: required(wholeNumber(0, MONTHS_MAX)),
  cliff_months: optional(wholeNumber(1, MONTHS_MAX), null),
  cliff_percentage: optional(percentUpTo100, null),
}

function linearForm(
  expected: string,
  others: Record<string, Field<unknown>>,
): Reader<ReleaseSchedule> {
  return section(
    expected,
    { ...others, ...linearFields, tranches: optional(nothing('first_percentage'), null) },
    {
      check: checkLinear,
      build: ({ first_percentage: first, months, cliff_months, cliff_percentage }) =>
        linearSchedule({
          first,
          months,
          cliff:
            cliff_months === null || cliff_percentage === null
              ? null
              : { months: cliff_months, percentage: cliff_percentage },
        }),
    },
  )
}

function checkLinear(
  {
    first_percentage: first,
    months,
    cliff_months: cliffMonths,
    cliff_percentage: cliffPercentage,
  }: Readings<typeof linearFields>,
  place: Place,
): void {
  if (cliffMonths === null && typeof cliffPercentage === 'bigint') {
    place.at('cliff_months').mismatch(`${wholeNumber(1, MONTHS_MAX).expected} (of the cliff)`)
    return
  }
  if (cliffPercentage === null && typeof cliffMonths === 'number') {
    place.at('cliff_percentage').mismatch('a percentage from 0 to 100 (of the cliff)')
    return
  }
  if (first === undefined || months === undefined) return
  if (cliffMonths === undefined || cliffPercentage === undefined) return
  const left = ALL - first
  if (cliffPercentage !== null && cliffPercentage > left) {
    const most = formatDecimal(left, PERCENTAGE_DECIMALS)
    place.at('cliff_percentage').mismatch(`${most} at most, which first_percentage leaves`)
    return
  }
  if (cliffMonths !== null && cliffMonths > months) {
    place.at('cliff_months').mismatch(`${months} at most, the month of the last release`)
    return
  }
  const from = cliffMonths ?? 0
  const then = cliffMonths === null ? 'first' : 'by the cliff'
  const isAllReleased = left === (cliffPercentage ?? 0n)
  if (months === from && !isAllReleased) {
    place
      .at('months')
      .mismatch(`${from + 1} or more months, since less than 100 % is released ${then}`)
  }
  if (months > from && isAllReleased) {
    place.at('months').mismatch(`${from}, since all is released ${then}`)
  }
}

function trancheForm(
  expected: string,
  others: Record<string, Field<unknown>>,
): Reader<ReleaseSchedule> {
  const refused = optional(nothing('tranches'), null)
  return section(
    expected,
    {
      ...others,
      first_percentage: refused,
      months: refused,
      cliff_months: refused,
      cliff_percentage: refused,
      tranches: required(tranches),
    },
    { build: (given) => releaseSchedule('tranches', given.tranches) },
  )
}

/** A field that must be left out, since another one says the same. */
function nothing(field: string): Reader<null> {
  const expected = `nothing, since ${field} says how tokens are released`
  return { expected, read: (place) => place.mismatch(expected) }
}

const tranches: Reader<readonly Tranche[]> = converted(
  list(
    () => {
      const isLater = ascending()
      return section(
        'a map with months and percentage',
        { months: required(wholeNumber(0, MONTHS_MAX)), percentage: required(percentUpTo100) },
        {
          check({ months, percentage: part }, place) {
            isLater(months, place.at('months'))
            if (part === 0n) place.at('percentage').mismatch('a percentage of more than 0')
          },
        },
      )
    },
    {
      expected: `a list of 1 to ${MONTHS_MAX + 1} tranches`,
      countMin: 1,
      countMax: MONTHS_MAX + 1,
    },
  ),
  (given, place) => {
    const sum = given.reduce((total, tranche) => total + tranche.percentage, 0n)
    if (sum === ALL) return given
    const found = formatDecimal(percentage(sum), PERCENTAGE_DECIMALS)
    return place.fault(`expected percentages of exactly 100 % in all, found ${found} %`)
  },
)

/** Reports a month that is not after the previous one. */
function ascending(): (months: number | undefined, place: Place) => void {
  let above: number | undefined
  return (months, place) => {
    if (months === undefined) return
    if (above !== undefined && months <= above) {
      place.mismatch(`more than ${above}, the months of the tranche above`)
    }
    above = months
  }
}

export const stageVesting: Reader<ReleaseSchedule> = scheduleWith(
  'a map with first_percentage and months, or with tranches',
  {},
)
