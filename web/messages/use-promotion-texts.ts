import { promotions } from './en/promotions.ts'
import { useTexts } from './language.ts'

export const usePromotionTexts = () => useTexts('promotions', promotions)
