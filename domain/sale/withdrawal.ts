const DAY_MS = 86_400_000
const SUNDAY = 0
const SATURDAY = 6

/**
 * Until when a buyer may withdraw from a purchase, exclusive: midnight in UTC after the last day.
 * The day of the purchase does not count, and a period that would end on a Saturday or Sunday ends
 * with the Monday (Regulation (EEC, Euratom) No 1182/71, Article 3). It knows no public holidays.
 */
export function withdrawalEnd(createdAt: Date, days: number): Date {
  const midnight = Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS
  const lastDay = new Date(midnight + days * DAY_MS)
  const weekday = lastDay.getUTCDay()
  const more = weekday === SATURDAY ? 2 : weekday === SUNDAY ? 1 : 0
  return new Date(lastDay.getTime() + (1 + more) * DAY_MS)
}
