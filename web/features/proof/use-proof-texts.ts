import { proof } from '#web/messages/en/proof.ts'
import { useTexts } from '#web/messages/language.ts'

export const useProofTexts = () => useTexts('proof', proof)
