import { legal } from './en/legal.ts'
import { useTexts } from './language.ts'

export { TERMS_DATE } from '#domain/sale/terms.ts'

export const useLegalTexts = () => useTexts('legal', legal)
