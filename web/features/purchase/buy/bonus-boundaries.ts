import { useEffect, useState } from 'react'
import type { StageBonuses } from '#domain/sale/bonus.ts'

const MINUTE_MS = 60_000
/** If the server's clock is a little behind, it must not answer with the state from before. */
const SERVER_DELAY_MS = 1000
/** A longer timer of the browser fires at once. */
const TIMER_MOST_MS = 2 ** 31 - 1

/** The instants, in ms, at which a bonus of the stage begins or ends for this user. */
export function bonusBoundaries(
  { limitedTime, signup }: StageBonuses,
  signedUpAt: Date | null,
): number[] {
  const minutes = signup.limitedTime?.minutesAfterSignup
  return [
    ...(limitedTime === null ? [] : [limitedTime.startsAt.getTime(), limitedTime.endsAt.getTime()]),
    ...(minutes === undefined || signedUpAt === null
      ? []
      : [signedUpAt.getTime() + minutes * MINUTE_MS]),
  ]
}

/** How many of the instants are past; renders again a second after the next of them. */
export function useBoundariesPassed(boundariesMs: readonly number[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const lookAtMs = boundariesMs.map((atMs) => atMs + SERVER_DELAY_MS)
  const nextMs = Math.min(...lookAtMs.filter((atMs) => atMs > nowMs))
  useEffect(() => {
    if (!Number.isFinite(nextMs)) return
    const waitMs = Math.min(TIMER_MOST_MS, Math.max(0, nextMs - Date.now()))
    const timer = setTimeout(() => setNowMs(Date.now()), waitMs)
    return () => clearTimeout(timer)
  }, [nextMs, nowMs])
  return lookAtMs.filter((atMs) => atMs <= nowMs).length
}
