import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

const subscribe = () => () => undefined
const thisMinuteMs = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/**
 * The time to the minute; null while a page is as the server sent it, which was some time ago. It
 * does not update: use `useCountdown` for what has to count down.
 */
export function useNowMs(): number | null {
  return useSyncExternalStore(subscribe, thisMinuteMs, () => null)
}
