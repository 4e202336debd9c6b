/** A smaller difference is what a reply needs on its way, or changes nothing for a person. */
const IGNORED_MS = 30_000

let serverAheadMs = 0

/** Learns from a reply how wrong this device's clock is. */
export function noteServerTime(headers: Headers): void {
  const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now()
  if (Math.abs(aheadMs - serverAheadMs) > IGNORED_MS) serverAheadMs = aheadMs
}

/** When this device's clock shows an instant of the server, in milliseconds. */
export function onThisClock(instant: string): number {
  return Date.parse(instant) - serverAheadMs
}
