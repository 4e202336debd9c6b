import { en, type Messages } from './en.ts'

/** The texts of the interface. The one door to them, so that a second language has one place. */
export function useMessages(): Messages {
  return en
}
