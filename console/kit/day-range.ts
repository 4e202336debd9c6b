/**
 * Two days of a filter, both included, as the instants of a call's query: they begin and end in the
 * reader's time zone. What is not a date is left out.
 */
export function dayRange(days: { from?: string; to?: string }): { from?: string; to?: string } {
  const from = dayStart(days.from, 0)
  const to = dayStart(days.to, 1)
  return { ...(from !== null && { from }), ...(to !== null && { to }) }
}

/** When a day, or one that many days later, begins; null if the text is not a date. */
function dayStart(day: string | undefined, daysLater: number): string | null {
  const [year, month, date] = (day ?? '').split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  const start = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(start.getTime()) ? null : start.toISOString()
}
