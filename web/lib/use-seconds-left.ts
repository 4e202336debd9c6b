import { useState, useSyncExternalStore } from 'react'
import { secondsLeft } from './time-left.ts'

/** Specification section 9. */
const TICK_MS = 1000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

function tick() {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, TICK_MS)
    tick()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const beginWait = (untilMs: number) => ({ untilMs, fromMs: Date.now() })

/**
 * Whole seconds until a time, 0 from then on; renders again when they change. All clocks of a page
 * share one timer, so they change together; a wait that begins between two ticks is counted from
 * when it begins, or it would show more than its length.
 */
export function useSecondsLeft(untilMs: number): number {
  const [wait, setWait] = useState(() => beginWait(untilMs))
  if (!Object.is(wait.untilMs, untilMs)) setWait(beginWait(untilMs))
  function readSecondsLeft() {
    if (timer === undefined) nowMs = Date.now()
    // No more than a tick ahead: this device's clock may have been set back meanwhile.
    return secondsLeft(untilMs, Math.max(nowMs, Math.min(wait.fromMs, nowMs + TICK_MS)))
  }
  return useSyncExternalStore(subscribe, readSecondsLeft, readSecondsLeft)
}
