import type { PageLanguage } from '#contract/language.ts'

/**
 * Formats dates in UTC: what the server renders, which knows no reader's time zone. The language is
 * the one that the texts around it are in.
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

/** An instant in UTC, to the minute; the reader has to be informed that it is UTC. */
export const formatUtcTime = utcDates({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
