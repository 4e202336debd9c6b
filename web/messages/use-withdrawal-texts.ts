import { withdrawal } from './en/withdrawal.ts'
import { useTexts } from './language.ts'

export const useWithdrawalTexts = () => useTexts('withdrawal', withdrawal)
