import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { usersContract } from '#contract/users.ts'
import { askForOfferAgain } from '#web/features/purchase/offer-cache.ts'
import {
  applyTransaction,
  type Cursor,
  type ListFilter,
  type TransactionPage,
  transactionKeys,
} from '#web/features/purchase/transaction-cache.ts'
import { askAgain } from '#web/lib/api/ask-again.ts'
import { CallError } from '#web/lib/api/call.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useSession, useUser } from '#web/session/session-context.tsx'

/** How often a purchase in progress is also fetched, in case the live stream stalls. */
const UNDER_WAY_REFETCH_MS = 15_000

/** Specification section 9. */
const PAGE_LIMIT = '5'

/** The most that the server returns at a time. */
const WHOLE_LIMIT = '100'

/** The call and the key of a page of the caller's transactions, newest first. */
export function usePageQuery(filter: ListFilter) {
  const { callAs } = useSession()
  const userId = useUser()?.id
  return (cursor: Cursor) => ({
    queryKey: transactionKeys.page(userId, filter, cursor),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callAs(
        usersContract.listTransactions,
        {
          params: { id: userId ?? '' },
          query: { ...cursor, ...stateOf(filter), limit: PAGE_LIMIT },
        },
        { signal },
      ),
    enabled: userId !== undefined,
  })
}

/** A page of the list; the previous one stays visible while the next is loading. */
export function useTransactionPage(filter: ListFilter, cursor: Cursor) {
  const pageQuery = usePageQuery(filter)
  return useQuery({ ...pageQuery(cursor), placeholderData: keepPreviousData })
}

/** Fetches all pages of a list, newest first. */
export function useWholeList(filter: ListFilter) {
  const { callAs } = useSession()
  const userId = useUser()?.id
  return async (): Promise<Transaction[]> => {
    const all: Transaction[] = []
    let after: string | null = null
    do {
      const page: TransactionPage = await callAs(usersContract.listTransactions, {
        params: { id: userId ?? '' },
        query: { ...(after !== null && { after }), ...stateOf(filter), limit: WHOLE_LIMIT },
      })
      all.push(...page.data)
      after = page.after
    } while (after !== null)
    return all
  }
}

function stateOf(filter: ListFilter) {
  return filter === 'all' ? {} : { state: filter }
}

/** One transaction, shown at once if it is already in the list. */
export function useTransaction(id: string | null) {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const userId = useUser()?.id
  return useQuery({
    queryKey: transactionKeys.one(userId, id ?? ''),
    queryFn: ({ signal }) =>
      callAs(transactionsContract.getTransaction, { params: { id: id ?? '' } }, { signal }),
    enabled: userId !== undefined && id !== null,
    placeholderData: () =>
      queries
        .getQueriesData<TransactionPage>({ queryKey: transactionKeys.pages(userId) })
        .flatMap(([, page]) => page?.data ?? [])
        .find((row) => row.id === id),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_REFETCH_MS : false),
    retry: (failures, error) => !isNotFound(error) && failures < 3,
  })
}

export function isNotFound(error: unknown): boolean {
  return error instanceof CallError && error.code === 404
}

function isUnderWay(transaction: Transaction | undefined): boolean {
  return transaction?.status === 'pending' || transaction?.status === 'processing'
}

export interface PurchaseOrder {
  /** Dollars. */
  amount: number
  tokenId: string
  idempotencyKey: string
}

/** Makes a purchase; then the list (specification section 4) and what is left are refetched. */
export function useCreateTransaction() {
  const { callAs } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ amount, tokenId, idempotencyKey }: PurchaseOrder) => {
      const { data } = await callAs(transactionsContract.createTransaction, {
        headers: { 'idempotency-key': idempotencyKey },
        body: { purchase_amount: amount, purchase_token_id: tokenId },
      })
      return data
    },
    onSuccess: (transaction) => {
      queries.setQueryData(transactionKeys.one(transaction.user_id, transaction.id), transaction)
      askAgain(queries, transactionKeys.pages(transaction.user_id))
      askForOfferAgain(queries, transaction.user_id)
    },
  })
}

/** Keeps the transactions and the balance up to date; after a gap everything is refetched. */
export function useLiveTransactions(): void {
  const queries = useQueryClient()
  const { loadUser } = useSession()
  const userId = useUser()?.id
  useLiveEvents({
    onEvent: (event) => {
      if (event.type !== 'transaction') return
      applyTransaction(queries, event.transaction)
      void loadUser()
    },
    onOpen: () => void queries.invalidateQueries({ queryKey: transactionKeys.all(userId) }),
  })
}
