import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'
import { persisted } from '#web/lib/persisted.ts'

export const themes = ['dark', 'blue'] as const
export type Theme = (typeof themes)[number]

const { subscribe, tell } = createListeners()

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
      tell()
    },
  }
}
