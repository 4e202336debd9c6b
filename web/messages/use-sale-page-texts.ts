import { salePage } from './en/sale-page.ts'
import { useTexts } from './language.ts'

export const useSalePageTexts = () => useTexts('salePage', salePage)
