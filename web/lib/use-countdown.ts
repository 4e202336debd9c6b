import { useEffect, useEffectEvent, useRef } from 'react'
import { onThisClock } from './api/server-clock.ts'
import { timeLeft, type TimeLeft } from './time-left.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

/**
 * The time left until an instant of the server, or one of this device's clock in milliseconds,
 * updated once a second. Only replies to somebody who is logged in tell the server's clock.
 * `onFinish` is called once for each instant that is reached while the page shows it; an instant
 * already past at the start does not count. Without an instant nothing is ever reached.
 */
export function useCountdown(until: string | number | null, onFinish?: () => void): TimeLeft {
  const untilMs = typeof until === 'string' ? onThisClock(until) : (until ?? Infinity)
  const totalSeconds = useSecondsLeft(untilMs)
  const waitedFor = useRef<number | null>(null)
  const isOver = totalSeconds === 0
  const finish = useEffectEvent(() => onFinish?.())
  useEffect(() => {
    if (!isOver) {
      waitedFor.current = untilMs
      return
    }
    if (waitedFor.current !== untilMs) return
    waitedFor.current = null
    finish()
  }, [isOver, untilMs])
  return timeLeft(totalSeconds)
}
