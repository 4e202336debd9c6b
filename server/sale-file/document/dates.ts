import type { Place } from './place.ts'
import { type Reader, scalar } from './readers.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A century: more is a typing error, and close to the limits of a date. */
const DURATION_MAX_MS = 36_525 * DAY_MS

const DURATION =
  /^([+-]?)P(?!$)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

/**
 * The milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds, with an
 * optional sign. Undefined for anything else, and for months and years, which have no fixed length.
 */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text)
  if (match === null) return undefined
  const [, sign, ...parts] = match
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  const ms = (weeks * 7 + days) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000
  if (ms > DURATION_MAX_MS) return undefined
  return sign === '-' ? 0 - ms : ms
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** An ISO 8601 instant with its zone. Undefined for anything else, such as the 30th of February. */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  const calendarDay = new Date(Date.UTC(year, month - 1, day))
  const isInCalendar = calendarDay.getUTCMonth() === month - 1 && calendarDay.getUTCDate() === day
  const instant = new Date(text)
  return isInCalendar && !Number.isNaN(instant.getTime()) ? instant : undefined
}

/** A date of the sale: an instant, or a duration counted from when the sale was first applied. */
export function date(firstAppliedAt: Date): Reader<Date> {
  return scalar(
    'a date: an instant with its zone such as 2022-08-01T00:00:00Z, or a duration since the sale ' +
      'was first applied such as P30D or PT12H (in weeks, days, hours, minutes and seconds)',
    (text) => {
      const durationMs = parseDuration(text)
      if (durationMs === undefined) return parseInstant(text)
      return new Date(firstAppliedAt.getTime() + durationMs)
    },
  )
}

export const calendarDay = scalar('a day such as 2022-07-01', (text) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(`${text}T00:00Z`) !== undefined
    ? text
    : undefined,
)

export function endsAfterStart(
  start: Date | null | undefined,
  end: Date | null | undefined,
  place: Place,
): void {
  if (start && end && end <= start) {
    place.mismatch(`a date after the start, which is ${start.toISOString()}`)
  }
}
