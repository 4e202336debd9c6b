import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { persisted } from './persisted.ts'

const themes = ['dark', 'blue'] as const
export type Theme = (typeof themes)[number]

const { subscribe, notify } = createListeners()

function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'blue' ? 'blue' : 'dark'
}

/** The server cannot know the theme of the device. */
function servedTheme(): Theme {
  return 'dark'
}

/** The theme, remembered on this device. A script of the page sets it before anything else. */
export function useTheme(): { theme: Theme; switchTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme, servedTheme)
  return {
    theme,
    switchTheme() {
      const next = theme === 'dark' ? 'blue' : 'dark'
      document.documentElement.dataset['theme'] = next
      persisted.write('theme', next)
      notify()
    },
  }
}
