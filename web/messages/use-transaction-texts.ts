import { transaction } from './en/transaction.ts'
import { useTexts } from './language.ts'

export const useTransactionTexts = () => useTexts('transaction', transaction)
