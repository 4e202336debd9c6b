import {
  listStoredTransactions,
  type PageQuestion,
  type StoredPage,
} from '#server/database/purchases/transaction-pages.ts'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { createBatcher } from './batcher.ts'

/** A page has up to a hundred transactions. */
const BATCH_MAX = 50
const WAITING_MAX = 5_000

/** Reads pages of transactions, in batches of simultaneous calls for pages of one kind. */
export function createTransactionReader(statements: NamedStatements): Services['readTransactions'] {
  const batchers = new Map<string, (question: PageQuestion) => Promise<StoredPage>>()
  return (question) => {
    const variant = { state: question.state, towards: question.start?.towards ?? null }
    const key = `${variant.state} ${variant.towards}`
    const batcher =
      batchers.get(key) ??
      createBatcher<PageQuestion, StoredPage>({
        batchMax: BATCH_MAX,
        waitingMax: WAITING_MAX,
        run: (questions) => listStoredTransactions(statements, variant, questions),
      })
    batchers.set(key, batcher)
    return batcher(question)
  }
}
