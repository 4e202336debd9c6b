import type { PageLanguage } from '#contract/language.ts'

/**
 * Formats dates in UTC, for what the server renders, which does not know the reader's time zone.
 * The language is that of the surrounding texts.
 */
function utcDates(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<PageLanguage, Intl.DateTimeFormat>()
  return (instant: string | Date, language: PageLanguage): string => {
    const format =
      formats.get(language) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    formats.set(language, format)
    return format.format(new Date(instant))
  }
}

/** A day in UTC: `Aug 1, 2022`. */
export const formatUtcDay = utcDates({ day: 'numeric', month: 'short', year: 'numeric' })

/** An instant in UTC, to the minute; the text around it must say that it is UTC. */
export const formatUtcTime = utcDates({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
