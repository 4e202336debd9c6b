import type { PageLanguage } from '#domain/language.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** British English puts the day first and uses the 24-hour clock. */
const locales: Record<PageLanguage, string> = { en: 'en-GB', de: 'de-DE' }
const units = { en: 'UTC', de: 'Uhr UTC' } satisfies Record<PageLanguage, string>

const dates = formats((locale) => dateFormat(locale, { dateStyle: 'long' }))
const times = formats((locale) => dateFormat(locale, { timeStyle: 'short' }))
const instants = formats((locale) => dateFormat(locale, { dateStyle: 'long', timeStyle: 'short' }))
const durations = formats((locale) => new Intl.RelativeTimeFormat(locale))

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
}

/** The format of a language, made at its first use: that takes fifty times as long as using it. */
function formats<Format>(make: (locale: string) => Format): (language: PageLanguage) => Format {
  const made = new Map<PageLanguage, Format>()
  return (language) => {
    const format = made.get(language) ?? make(locales[language])
    made.set(language, format)
    return format
  }
}

/** `21 November 2026 at 14:05 UTC`: a mail does not know its reader's time zone. */
export function instantText(language: PageLanguage, instant: Date): string {
  return `${instants(language).format(instant)} ${units[language]}`
}

/** `21 November 2026`, in UTC. */
export function dayText(language: PageLanguage, day: Date): string {
  return dates(language).format(day)
}

/**
 * `in 30 minutes (14:32 UTC)`: how much time there is from the mail on, and when it ends, with the
 * date if that is another day.
 */
export function deadlineText(language: PageLanguage, deadline: Date, now: Date): string {
  const isToday = Math.floor(deadline.getTime() / DAY_MS) === Math.floor(now.getTime() / DAY_MS)
  const at = isToday
    ? `${times(language).format(deadline)} ${units[language]}`
    : instantText(language, deadline)
  return `${durationText(language, deadline.getTime() - now.getTime())} (${at})`
}

/** In minutes; from two hours on in hours, and from two days on in days. */
function durationText(language: PageLanguage, durationMs: number): string {
  const relative = durations(language)
  if (durationMs >= 2 * DAY_MS) return relative.format(Math.round(durationMs / DAY_MS), 'day')
  if (durationMs >= 2 * HOUR_MS) return relative.format(Math.round(durationMs / HOUR_MS), 'hour')
  return relative.format(Math.max(1, Math.round(durationMs / MINUTE_MS)), 'minute')
}
