import { useEffect, useEffectEvent, useRef } from 'react'
import { timeLeft, type TimeLeft } from './time-left.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

/**
 * The time left until an instant, updated once a second. `onFinish` is called once for each instant
 * that is reached while the page shows it; an instant already past at the start does not count.
 * Without an instant nothing is ever reached.
 */
export function useCountdown(until: string | number | null, onFinish?: () => void): TimeLeft {
  const untilMs = until === null ? Infinity : new Date(until).getTime()
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
