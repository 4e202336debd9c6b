import type { Vesting } from '#domain/sale/offer.ts'
import { ALL } from '#domain/sale/reservation.ts'
import { optional, type Reader, required, section } from './document/readers.ts'
import { percentUpTo100, wholeNumber } from './document/values.ts'

const MONTHS_MAX = 120

/** When tokens are released; `when` reads its start. */
export function vesting(when: Reader<Date>): Reader<Vesting> {
  return section(
    'a map with first_percentage, months and, once it is set, starts',
    {
      starts: optional(when, null),
      first_percentage: required(percentUpTo100),
      months: required(wholeNumber(0, MONTHS_MAX)),
    },
    {
      check({ first_percentage: first, months }, place) {
        if (first === undefined || months === undefined) return
        const isAllAtOnce = first === ALL
        if (months === 0 && !isAllAtOnce) {
          place.at('months').mismatch('1 or more months, since less than 100 % is released first')
        }
        if (months > 0 && isAllAtOnce) {
          place.at('months').mismatch('0, since all is released first')
        }
      },
      build: ({ starts, first_percentage, months }) => ({
        startsAt: starts,
        first: first_percentage,
        months,
      }),
    },
  )
}
