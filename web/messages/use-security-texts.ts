import { security } from './en/security.ts'
import { useTexts } from './language.ts'

export const useSecurityTexts = () => useTexts('security', security)
