import { buy } from './en/buy.ts'
import { useTexts } from './language.ts'

export const useBuyTexts = () => useTexts('buy', buy)
