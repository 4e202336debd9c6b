import { useSyncExternalStore } from 'react'
import { persisted } from '#web/lib/persisted.ts'

export const themes = ['dark', 'blue'] as const
export type Theme = (typeof themes)[number]

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'blue' ? 'blue' : 'dark'
}

/** What the server renders, which knows nothing of the device. */
function servedTheme(): Theme {
  return 'dark'
}

/** The theme, remembered on this device. `public/before-paint.js` sets it before all else. */
export function useTheme(): { theme: Theme; switchTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme, servedTheme)
  return {
    theme,
    switchTheme() {
      const next = theme === 'dark' ? 'blue' : 'dark'
      document.documentElement.dataset['theme'] = next
      persisted.write('theme', next)
      for (const listener of listeners) listener()
    },
  }
}
