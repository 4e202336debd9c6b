import { sandbox } from './en/sandbox.ts'
import { useLanguage } from './language.ts'

/** The texts of the sandbox page. */
export function useSandboxTexts(): typeof sandbox {
  return useLanguage().texts?.sandbox ?? sandbox
}
