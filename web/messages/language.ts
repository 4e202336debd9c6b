import { useSyncExternalStore } from 'react'
import { persisted } from '#web/lib/persisted.ts'
import type { Texts } from './texts.ts'

/** The languages of the interface, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languages

/** English comes with the code that shows it; any other language as one file, once it is chosen. */
const translations: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  de: async () => (await import('./de.ts')).german,
}

/** Where React Aria looks for the language of its own texts; it would follow the browser. */
const ARIA_LOCALE = Symbol.for('react-aria.i18n.locale')
const ariaLocales: Record<Language, string> = { en: 'en-US', de: 'de-DE' }

const STORED = 'language'

interface Choice {
  language: Language
  /** Null for English. */
  texts: Texts | null
}

const english: Choice = { language: 'en', texts: null }

let choice = english
const listeners = new Set<() => void>()

/** The language that was chosen on this device; English where none was, whatever the browser's. */
export async function startLanguage(): Promise<void> {
  const stored = persisted.read(STORED)
  try {
    await show(isLanguage(stored) ? stored : 'en')
  } catch {
    await show('en')
  }
}

/** Shows the interface in a language and remembers it. Rejects where its texts cannot be had. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language)
  persisted.write(STORED, language)
}

/** For what is written outside of components, such as dates. */
export function currentLanguage(): Language {
  return choice.language
}

/** The chosen language with its texts. What the server renders is English. */
export function useLanguage(): Choice {
  return useSyncExternalStore(subscribe, currentChoice, () => english)
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

async function show(language: Language): Promise<void> {
  // English is the same object as in what the server renders: another one would render it all
  // again.
  choice = language === 'en' ? english : { language, texts: await translations[language]() }
  document.documentElement.lang = language
  Object.assign(window, { [ARIA_LOCALE]: ariaLocales[language] })
  window.dispatchEvent(new Event('languagechange'))
  for (const listener of listeners) listener()
}

function currentChoice(): Choice {
  return choice
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
