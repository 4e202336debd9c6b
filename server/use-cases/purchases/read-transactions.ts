import { Refusal, wrongField } from '#domain/refusal.ts'
import type { TransactionState } from '#domain/settlement/outcome.ts'
import {
  findStoredTransaction,
  type PageStart,
} from '#server/database/purchases/transaction-pages.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'
import { findTransactionView, viewTransaction } from './transaction-view.ts'

/** One of the caller's own transactions. Refuses with `NotFound`, also for another user's. */
export async function getTransaction(services: Services, id: string, caller: Caller) {
  const view = isId(id) ? await findTransactionView(services, id) : null
  if (view === null || view.userId !== caller.userId) throw new Refusal('NotFound')
  return view
}

export type PageInput = {
  userId: string
  /** The first item of the page, inclusive. */
  after?: string | undefined
  /** The page ends just before this item. */
  before?: string | undefined
  limit: number
  /** Only transactions in this state; all if left out. */
  state?: TransactionState | undefined
}

/**
 * The caller's transactions, newest first, with how many there are in that state and how many of
 * them are newer than the page; a cursor is null if there is no such page. A cursor is a place in
 * the list, and stays valid when its transaction leaves the requested state. Refuses with
 * `NotFound`, and with `InvalidInput` for a foreign cursor.
 */
export async function listTransactions(services: Services, input: PageInput, caller: Caller) {
  requireSelf(caller, input.userId)
  const { limit } = input
  if (input.before !== undefined && input.after !== undefined) {
    throw wrongField('before', 'Give after or before, not both')
  }
  const start = await findStart(services, input, caller)
  const question = { userId: caller.userId, state: input.state ?? null, start, countMax: limit + 1 }
  const { items: rows, total, newer } = await services.readTransactions(question)
  const isBefore = start?.towards === 'newer'
  const page = isBefore ? rows.slice(0, limit).toReversed() : rows.slice(0, limit)
  // A reward may have been added between the two statements.
  const position = isBefore ? Math.max(0, newer - page.length) : newer
  const first = page[0]?.id ?? start?.id ?? null
  return {
    items: page.map((row) => viewTransaction(services, row)),
    before: (isBefore ? rows.length > limit : newer > 0) ? first : null,
    after: isBefore ? (total > newer ? start.id : null) : (rows[limit]?.id ?? null),
    total,
    position,
  }
}

async function findStart(
  { statements }: Services,
  { after, before }: PageInput,
  caller: Caller,
): Promise<PageStart | null> {
  const id = after ?? before
  if (id === undefined) return null
  const found = isId(id) ? await findStoredTransaction(statements, id) : null
  const owner = found?.type === 'purchase' ? found.purchase.userId : found?.reward.referrerId
  if (found === null || owner !== caller.userId) {
    const path = after === undefined ? 'before' : 'after'
    throw wrongField(path, 'Must be the id of one of your transactions')
  }
  const towards = after === undefined ? 'newer' : 'older'
  return { createdAt: found.createdAt, id: found.id, towards }
}
