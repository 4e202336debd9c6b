import { security } from './en/security.ts'
import { useLanguage } from './language.ts'

/** The texts of what protects an account. */
export function useSecurityTexts(): typeof security {
  return useLanguage().texts?.security ?? security
}
