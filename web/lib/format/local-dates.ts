import { currentLanguage } from '#web/messages/language.ts'

/**
 * Writes dates in the reader's time zone, in the language that the interface has at that moment.
 */
export function localDates(options: Intl.DateTimeFormatOptions): (date: Date | number) => string {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (date) => {
    const language = currentLanguage()
    const format = formats.get(language) ?? new Intl.DateTimeFormat(language, options)
    formats.set(language, format)
    return format.format(date)
  }
}
