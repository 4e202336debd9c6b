import { useState } from 'react'
import { useNowMs } from '#web/lib/use-now.ts'
import type { ReleaseStep } from './release-steps.ts'

/** How many of the releases are past; `onReached` counts the next one, to the second. */
export function useDoneCount(steps: readonly Pick<ReleaseStep, 'date'>[]): {
  doneCount: number
  onReached: () => void
} {
  const nowMs = useNowMs()
  const [reachedMs, setReachedMs] = useState(-Infinity)
  const untilMs = Math.max(nowMs ?? -Infinity, reachedMs)
  const doneCount = steps.filter(({ date }) => date !== null && date.getTime() <= untilMs).length
  const next = steps[doneCount]?.date
  return { doneCount, onReached: () => next && setReachedMs(next.getTime()) }
}
