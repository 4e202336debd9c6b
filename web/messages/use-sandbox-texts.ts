import { sandbox } from './en/sandbox.ts'
import { useTexts } from './language.ts'

export const useSandboxTexts = () => useTexts('sandbox', sandbox)
