import type { Transaction } from '#contract/shapes.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'

/** Whether nothing may be sent any more, while what was sent in time is still looked for. */
export function useIsTimeUp({ status, expires_date: until }: Transaction): boolean {
  const { totalSeconds } = useCountdown(until)
  return status === 'pending' && totalSeconds === 0
}
