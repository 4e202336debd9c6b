import { useSyncExternalStore } from 'react'
import { type PageLanguage, pageLanguages } from '#contract/language.ts'
import { LANGUAGE_COOKIE } from '#contract/page-seed.ts'
import { translateFaults } from '#web/lib/api/call.ts'
import { createListeners } from '#web/lib/listeners.ts'
import { persisted } from '#web/lib/persisted.ts'
import type { Texts, Translation } from './texts.ts'

/** The languages of the interface, each under its own name. */
export const languages: Readonly<Record<PageLanguage, string>> = { en: 'English', de: 'Deutsch' }

export type Language = PageLanguage

/** English comes with the code that shows it; any other language as one file, once it is chosen. */
const translations: Record<Exclude<Language, 'en'>, () => Promise<Translation>> = {
  de: () => import('./de.ts'),
}

/**
 * Where React Aria looks for the language of its own texts; otherwise it would follow the browser.
 */
const ARIA_LOCALE = Symbol.for('react-aria.i18n.locale')
const ariaLocales: Record<Language, string> = { en: 'en-US', de: 'de-DE' }

const STORED = 'language'
const COOKIE_SECONDS = 365 * 24 * 60 * 60

interface Choice {
  language: Language
  /** Null for English. */
  texts: Translation | null
}

const english: Choice = { language: 'en', texts: null }

/** What the server has rendered the page in. */
let served = english
let choice = english
const { subscribe, notify } = createListeners()

/**
 * The language chosen on this device; English if none was, whatever the browser's. False if the
 * page was rendered in a language whose texts cannot be loaded.
 */
export async function startLanguage(): Promise<boolean> {
  const { lang } = document.documentElement
  const sent = isLanguage(lang) ? lang : 'en'
  const chosen = chosenLanguage() ?? sent
  try {
    served = await choiceOf(sent)
    await show(chosen)
    // Renewed each time, since some browsers delete a cookie after a week.
    rememberInCookie(chosen)
  } catch {
    await show('en')
  }
  return served.language === sent
}

/** Shows the interface in a language and remembers it. Rejects if its texts cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language)
  persisted.write(STORED, language)
  rememberInCookie(language)
}

/** What was chosen on this device, English too; undefined if nothing was. */
export function chosenLanguage(): Language | undefined {
  const stored = persisted.read(STORED)
  return isLanguage(stored) ? stored : undefined
}

/** For the server: sets the language of what is rendered from now on; null stands for English. */
export function renderIn(language: Language, texts: Translation | null): void {
  served = choice = texts === null ? english : { language, texts }
}

/** For texts that are formatted outside of components, such as dates. */
export function currentLanguage(): Language {
  return choice.language
}

/** The chosen language with its texts; at first the one that the server has rendered. */
export function useLanguage(): Choice {
  return useSyncExternalStore(
    subscribe,
    () => choice,
    () => served,
  )
}

/** A part of the texts in the chosen language; the English one comes with the code that asks. */
export function useTexts<Part extends keyof Texts>(part: Part, english: Texts[Part]): Texts[Part] {
  return useLanguage().texts?.[part] ?? english
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

async function show(language: Language): Promise<void> {
  choice = await choiceOf(language)
  translateFaults(choice.texts?.refusals)
  document.documentElement.lang = language
  Object.assign(window, { [ARIA_LOCALE]: ariaLocales[language] })
  window.dispatchEvent(new Event('languagechange'))
  notify()
}

async function choiceOf(language: Language): Promise<Choice> {
  // The same object with which the page was rendered: another one would render everything again.
  if (language === served.language) return served
  return language === 'en' ? english : { language, texts: await translations[language]() }
}

/** Makes the server render pages in the language. The default needs no cookie. */
function rememberInCookie(language: Language) {
  const seconds = language === pageLanguages[0] ? 0 : COOKIE_SECONDS
  const isKnown = document.cookie.includes(`${LANGUAGE_COOKIE}=`)
  if (seconds === 0 && !isKnown) return
  const security = window.location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${seconds}; SameSite=Lax${security}`
}
