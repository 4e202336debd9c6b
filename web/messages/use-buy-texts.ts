import { buy } from './en/buy.ts'
import { useLanguage } from './language.ts'

/** The texts of the buy page. */
export function useBuyTexts(): typeof buy {
  return useLanguage().texts?.buy ?? buy
}
