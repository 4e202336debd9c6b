import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  findStoredTransaction,
  listStoredTransactions,
  type PageStart,
} from '#server/database/purchases/transaction-pages.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { requireSelf } from '#server/use-cases/access/user-account.ts'
import { findTransactionView, type TransactionView, viewTransaction } from './transaction-view.ts'

/** One of the caller's own transactions. Refuses with `NotFound`, another user's too. */
export async function getTransaction(
  services: Services,
  id: string,
  caller: Caller,
): Promise<TransactionView> {
  const view = isId(id) ? await findTransactionView(services, id) : null
  if (view === null || view.userId !== caller.userId) throw new Refusal('NotFound')
  return view
}

export type PageInput = {
  userId: string
  /** The first item of the page, inclusive. */
  after?: string | undefined
  /** The item that the page ends just before. */
  before?: string | undefined
  limit: number
}

/** A page, newest first; each cursor is null where there is no such page. */
export type TransactionPage = {
  items: TransactionView[]
  before: string | null
  after: string | null
}

/** The caller's transactions. Refuses with `NotFound`, and `InvalidInput` for a foreign cursor. */
export async function listTransactions(
  services: Services,
  input: PageInput,
  caller: Caller,
): Promise<TransactionPage> {
  requireSelf(caller, input.userId)
  const { database } = services
  const { limit } = input
  if (input.before !== undefined) {
    if (input.after !== undefined) throw wrongField('before', 'Give after or before, not both')
    const start = await findStart(services, 'before', input.before, caller)
    const rows = await listStoredTransactions(database, caller.userId, start, limit + 1)
    const page = rows.slice(0, limit).toReversed()
    return {
      items: page.map((row) => viewTransaction(services, row)),
      before: rows.length > limit ? (page[0]?.id ?? null) : null,
      after: start.id,
    }
  }
  const start =
    input.after === undefined ? null : await findStart(services, 'after', input.after, caller)
  const [rows, newer] = await Promise.all([
    listStoredTransactions(database, caller.userId, start, limit + 1),
    start === null
      ? []
      : listStoredTransactions(database, caller.userId, { ...start, towards: 'newer' }, 1),
  ])
  const page = rows.slice(0, limit)
  return {
    items: page.map((row) => viewTransaction(services, row)),
    before: newer.length > 0 ? (page[0]?.id ?? null) : null,
    after: rows[limit]?.id ?? null,
  }
}

async function findStart(
  { database }: Services,
  path: 'after' | 'before',
  id: string,
  caller: Caller,
): Promise<PageStart> {
  const found = isId(id) ? await findStoredTransaction(database, id) : null
  const owner = found?.type === 'purchase' ? found.purchase.userId : found?.reward.referrerId
  if (found === null || owner !== caller.userId) {
    throw wrongField(path, 'Must be the id of one of your transactions')
  }
  const towards = path === 'after' ? 'older' : 'newer'
  return { createdAt: found.createdAt, id: found.id, towards }
}
