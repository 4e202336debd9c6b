import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

interface Cooldown {
  endsAtMs: number
  seconds: number
}

const OVER: Cooldown = { endsAtMs: 0, seconds: 0 }
const cooldowns = new Map<string, Cooldown>()
const { subscribe, notify } = createListeners()

/** Starts or restarts the pause after an action of that name, wherever it is shown. */
export function startCooldown(name: string, seconds: number) {
  cooldowns.set(name, { endsAtMs: Date.now() + seconds * 1000, seconds })
  notify()
}

/**
 * Whole seconds until an action of that name may be done again, 0 when it may be now. The pause
 * goes on while its button is out of sight, until the page is loaded again.
 */
export function useCooldown(name: string): number {
  const { endsAtMs, seconds } = useSyncExternalStore(
    subscribe,
    () => cooldowns.get(name) ?? OVER,
    () => OVER,
  )
  return useSecondsLeft(endsAtMs, seconds)
}
