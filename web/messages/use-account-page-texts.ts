import { accountPages } from './en/account-pages.ts'
import { useTexts } from './language.ts'

export const useAccountPageTexts = () => useTexts('accountPages', accountPages)
