import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { keptInTab } from './persisted.ts'
import { secondsLeft } from './time-left.ts'
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
  const endsAtMs = Date.now() + seconds * 1000
  cooldowns.set(name, { endsAtMs, seconds })
  keptInTab.write(name, endsAtMs)
  notify()
}

/** As this page knows it, or as the one before it in this tab did. */
function cooldownOf(name: string): Cooldown {
  const known = cooldowns.get(name)
  if (known !== undefined) return known
  const endsAtMs = Number(keptInTab.read(name))
  const kept = { endsAtMs, seconds: secondsLeft(endsAtMs, Date.now()) }
  cooldowns.set(name, kept)
  return kept
}

/**
 * Whole seconds until an action of that name may be done again, 0 when it may be now. The pause
 * goes on while its button is out of sight and where the page is loaded again.
 */
export function useCooldown(name: string): number {
  const { endsAtMs, seconds } = useSyncExternalStore(
    subscribe,
    () => cooldownOf(name),
    () => OVER,
  )
  return useSecondsLeft(endsAtMs, seconds)
}
