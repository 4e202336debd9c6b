import { referrals } from './en/referrals.ts'
import { useTexts } from './language.ts'

export const useReferralTexts = () => useTexts('referrals', referrals)
