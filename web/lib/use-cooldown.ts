import { useState } from 'react'
import { useSecondsLeft } from './use-seconds-left.ts'

/** A pause after an action: seconds left (0 when it may be done again) and the way to start it. */
export function useCooldown(): { secondsLeft: number; start: (seconds: number) => void } {
  const [cooldown, setCooldown] = useState({ endsAtMs: 0, seconds: 0 })
  return {
    secondsLeft: useSecondsLeft(cooldown.endsAtMs, cooldown.seconds),
    start: (seconds) => setCooldown({ endsAtMs: Date.now() + seconds * 1000, seconds }),
  }
}
