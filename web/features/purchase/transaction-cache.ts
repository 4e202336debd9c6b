import type { QueryClient } from '@tanstack/react-query'
import type { ResultOf } from '#contract/endpoint.ts'
import type { Transaction } from '#contract/shapes.ts'
import type { usersContract } from '#contract/users.ts'
import { transactionStates } from '#domain/settlement/outcome.ts'
import { dropAnswers } from '#web/lib/api/ask-again.ts'
import { askForOfferAgain } from './offer-cache.ts'

/** Where a page of the list starts or ends; the first page has neither. */
export type Cursor = { after?: string; before?: string }

/** What the list is filtered by; `all` is the list as it is. */
export type ListFilter = 'all' | (typeof transactionStates)[number]

export type TransactionPage = ResultOf<typeof usersContract.listTransactions>

type UserId = string | undefined

/** Under the user's id, so that nobody sees what was cached for the previous user. */
const keyOf = (userId: UserId, ...below: unknown[]) => ['user', userId, 'transactions', ...below]

export const transactionKeys = {
  all: (userId: UserId) => keyOf(userId),
  pages: (userId: UserId) => keyOf(userId, 'page'),
  filtered: (userId: UserId, filter: ListFilter) => keyOf(userId, 'page', filter),
  page: (userId: UserId, filter: ListFilter, at: Cursor) => keyOf(userId, 'page', filter, at),
  one: (userId: UserId, id: string) => keyOf(userId, 'one', id),
}

/**
 * Fetches a transaction and shows the answer everywhere, unless an event has brought a newer
 * version meanwhile. Returns the newest known version.
 */
export async function askForTransaction(
  queries: QueryClient,
  { user_id: userId, id }: Pick<Transaction, 'user_id' | 'id'>,
  ask: () => Promise<Transaction>,
): Promise<Transaction> {
  const key = transactionKeys.one(userId, id)
  const versions = () => queries.getQueryState(key)?.dataUpdateCount ?? 0
  const before = versions()
  const answer = await ask()
  const newer = versions() > before ? queries.getQueryData<Transaction>(key) : undefined
  if (newer !== undefined) return newer
  applyTransaction(queries, answer)
  return answer
}

/**
 * Replaces a transaction with its newer version from the live events, in every page of the list and
 * on its own. A list that does not contain it is refetched, and so is each filtered one, which it
 * may have entered or left; running fetches are restarted, since their answer may be older than the
 * event.
 */
export function applyTransaction(queries: QueryClient, transaction: Transaction): void {
  const { user_id: userId, id } = transaction
  const all = { queryKey: transactionKeys.all(userId) }
  const pages = { queryKey: transactionKeys.pages(userId) }
  const isFetching = queries.isFetching(all) > 0
  if (isFetching) dropAnswers(queries, all.queryKey)
  const has = (page: TransactionPage | undefined) =>
    page?.data.some((row) => row.id === id) ?? false
  const unfiltered = { queryKey: transactionKeys.filtered(userId, 'all') }
  const isListed = queries.getQueriesData<TransactionPage>(unfiltered).some(([, page]) => has(page))
  queries.setQueriesData<TransactionPage>(pages, (page) =>
    page !== undefined && has(page)
      ? { ...page, data: page.data.map((row) => (row.id === id ? transaction : row)) }
      : page,
  )
  queries.setQueryData(transactionKeys.one(userId, id), transaction)
  askForOfferAgain(queries, userId)
  if (isFetching) void queries.invalidateQueries(all)
  else {
    if (!isListed) void queries.invalidateQueries(unfiltered)
    for (const state of transactionStates) {
      void queries.invalidateQueries({ queryKey: transactionKeys.filtered(userId, state) })
    }
  }
}
