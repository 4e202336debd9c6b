import { legal } from './en/legal.ts'
import { useTexts } from './language.ts'

export const useLegalTexts = () => useTexts('legal', legal)
