import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { keptInTab } from './persisted.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

/** When each pause ends, in milliseconds. */
const ends = new Map<string, number>()
const { subscribe, notify } = createListeners()

/** Starts or restarts the pause after an action of that name, wherever it is shown. */
export function startCooldown(name: string, seconds: number) {
  const endsAtMs = Date.now() + seconds * 1000
  ends.set(name, endsAtMs)
  keptInTab.write(name, endsAtMs)
  notify()
}

/** As this page knows it, or as the one before it in this tab did. */
function endOf(name: string): number {
  const endsAtMs = ends.get(name) ?? Number(keptInTab.read(name))
  ends.set(name, endsAtMs)
  return endsAtMs
}

/**
 * Whole seconds until an action of that name may be done again, 0 when it may be now. The pause
 * goes on while its button is out of sight and where the page is loaded again.
 */
export function useCooldown(name: string): number {
  const endsAtMs = useSyncExternalStore(
    subscribe,
    () => endOf(name),
    () => 0,
  )
  return useSecondsLeft(endsAtMs)
}
