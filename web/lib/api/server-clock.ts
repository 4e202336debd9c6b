import { SERVER_TIME } from '#contract/endpoint.ts'

/** A smaller difference is what a reply needs on its way, or changes nothing for a person. */
const IGNORED_MS = 30_000

let serverAheadMs = 0

/** Learns from the reply to a call how wrong this device's clock is. */
export function noteServerTime(headers: Headers, sentAtMs: number): void {
  const nowMs = Date.now()
  const aheadMs = Date.parse(headers.get(SERVER_TIME) ?? '') - nowMs
  // A reply that was read long after its call, on a phone that slept, says what time it was then.
  const isFresh = Math.abs(nowMs - sentAtMs) < IGNORED_MS
  if (isFresh && Math.abs(aheadMs - serverAheadMs) > IGNORED_MS) serverAheadMs = aheadMs
}

/** When this device's clock shows an instant of the server, in milliseconds. */
export function onThisClock(instant: string): number {
  return Date.parse(instant) - serverAheadMs
}
