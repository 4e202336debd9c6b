import { refundClaim } from './en/refund-claim.ts'
import { useTexts } from './language.ts'

export const useRefundClaimTexts = () => useTexts('refundClaim', refundClaim)
