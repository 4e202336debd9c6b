import { useState } from 'react'
import { persisted } from '#web/lib/persisted.ts'

export const themes = ['dark', 'blue'] as const
export type Theme = (typeof themes)[number]

function currentTheme(): Theme {
  // A page that the server renders has the default theme, until `public/theme.js` runs.
  if (typeof document === 'undefined') return 'dark'
  return document.documentElement.dataset['theme'] === 'blue' ? 'blue' : 'dark'
}

/**
 * The theme, remembered on this device. It is set before the first paint by `public/theme.js`,
 * a file of its own because the content security policy allows no script in the page.
 */
export function useTheme(): { theme: Theme; switchTheme: () => void } {
  const [theme, setTheme] = useState(currentTheme)
  return {
    theme,
    switchTheme() {
      const next = theme === 'dark' ? 'blue' : 'dark'
      document.documentElement.dataset['theme'] = next
      persisted.write('theme', next)
      setTheme(next)
    },
  }
}
