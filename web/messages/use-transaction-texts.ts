import { transaction } from './en/transaction.ts'
import { useLanguage } from './language.ts'

/** The texts of purchases and their payment. */
export function useTransactionTexts(): typeof transaction {
  return useLanguage().texts?.transaction ?? transaction
}
