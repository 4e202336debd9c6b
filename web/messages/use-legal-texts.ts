import { legal } from './en/legal.ts'
import { useLanguage } from './language.ts'

/** The long texts of the open pages. */
export function useLegalTexts(): typeof legal {
  return useLanguage().texts?.legal ?? legal
}
