import { transactionList } from './en/transaction-list.ts'
import { useTexts } from './language.ts'

export const useTransactionListTexts = () => useTexts('transactionList', transactionList)
