import { offer } from './en/offer.ts'
import { useTexts } from './language.ts'

export const useOfferTexts = () => useTexts('offer', offer)
