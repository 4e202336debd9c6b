import { useEffect, useState } from 'react'
import type { StageBonuses } from '#contract/shapes.ts'

const MINUTE_MS = 60_000
/** A clock of the server that is a little behind must not give the answer from before the turn. */
const TURN_DELAY_MS = 1000
/** A longer timer of the browser fires at once. */
const TIMER_MOST_MS = 2 ** 31 - 1

/** The instants, in ms, at which a bonus of the stage begins or ends for this user. */
export function bonusTurns(bonuses: StageBonuses, signupDate: string | null): number[] {
  const { limited_time: limited, signup } = bonuses
  const minutes = signup.limited_time?.minutes_after_signup
  return [
    ...(limited === null ? [] : [Date.parse(limited.start_date), Date.parse(limited.end_date)]),
    ...(minutes === undefined || signupDate === null
      ? []
      : [Date.parse(signupDate) + minutes * MINUTE_MS]),
  ]
}

/** How many of the instants lie behind; renders again a second after the next of them. */
export function useTurnsPassed(turnsMs: readonly number[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const lookAtMs = turnsMs.map((turnMs) => turnMs + TURN_DELAY_MS)
  const nextMs = Math.min(...lookAtMs.filter((atMs) => atMs > nowMs))
  useEffect(() => {
    if (!Number.isFinite(nextMs)) return
    const waitMs = Math.min(TIMER_MOST_MS, Math.max(0, nextMs - Date.now()))
    const timer = setTimeout(() => setNowMs(Date.now()), waitMs)
    return () => clearTimeout(timer)
  }, [nextMs, nowMs])
  return lookAtMs.filter((atMs) => atMs <= nowMs).length
}
