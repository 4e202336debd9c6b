import { messages } from './en/messages.ts'
import { useTexts } from './language.ts'

export const useMessages = () => useTexts('messages', messages)
