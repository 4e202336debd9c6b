import { en, type Messages } from './en.ts'
import { useLanguage } from './language.ts'

/** The texts that every page may need. Larger parts have doors of their own beside this one. */
export function useMessages(): Messages {
  return useLanguage().texts?.messages ?? en
}
