import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { bonusKey, minimumsKey } from './offer-cache.ts'
import {
  applyTransaction,
  askForTransaction,
  type TransactionPage,
  transactionKeys,
} from './transaction-cache.ts'

const first = aWireTransaction()
const second = aWireTransaction()
const { user_id: userId } = first

function aCache() {
  const queries = new QueryClient()
  const page = (...data: TransactionPage['data']) => ({
    data,
    before: null,
    after: null,
    total: 1,
    position: 0,
  })
  const keys = {
    firstPage: transactionKeys.page(userId, 'all', {}),
    samePage: transactionKeys.page(userId, 'all', { before: second.id }),
    secondPage: transactionKeys.page(userId, 'all', { after: second.id }),
    one: transactionKeys.one(userId, first.id),
  }
  queries.setQueryData(keys.firstPage, page(first))
  queries.setQueryData(keys.samePage, page(first))
  queries.setQueryData(keys.secondPage, page(second))
  queries.setQueryData(keys.one, first)
  const isAskedAgain = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated
  return { queries, keys, isAskedAgain }
}

describe('news of a transaction', () => {
  const news = { ...first, status: 'processing' as const }

  it('replaces it in every page that has it and where it stands alone', () => {
    const { queries, keys, isAskedAgain } = aCache()
    applyTransaction(queries, news)
    for (const key of [keys.firstPage, keys.samePage]) {
      expect(queries.getQueryData<TransactionPage>(key)?.data).toEqual([news])
    }
    expect(queries.getQueryData<TransactionPage>(keys.secondPage)?.data).toEqual([second])
    expect(queries.getQueryData(keys.one)).toEqual(news)
    expect(isAskedAgain(keys.firstPage)).toBe(false)
  })

  it('has the lists asked for again where none knows it, as it is new', () => {
    const { queries, keys, isAskedAgain } = aCache()
    const unknown = aWireTransaction()
    applyTransaction(queries, unknown)
    expect(queries.getQueryData(transactionKeys.one(userId, unknown.id))).toEqual(unknown)
    expect(isAskedAgain(keys.firstPage)).toBe(true)
    expect(isAskedAgain(keys.secondPage)).toBe(true)
  })

  it('has filtered lists asked for again, which it may have entered or left', () => {
    const { queries, keys, isAskedAgain } = aCache()
    const [open, done] = (['open', 'done'] as const).map((filter) =>
      transactionKeys.page(userId, filter, {}),
    )
    if (open === undefined || done === undefined) throw new Error('There are two.')
    queries.setQueryData(open, queries.getQueryData(keys.firstPage))
    queries.setQueryData(done, queries.getQueryData(keys.secondPage))
    applyTransaction(queries, news)
    expect(queries.getQueryData<TransactionPage>(open)?.data).toEqual([news])
    expect(isAskedAgain(open)).toBe(true)
    expect(isAskedAgain(done)).toBe(true)
    expect(isAskedAgain(keys.firstPage)).toBe(false)
  })

  it('leaves what belongs to another user alone', () => {
    const { queries, keys, isAskedAgain } = aCache()
    applyTransaction(queries, { ...news, user_id: 'another' })
    expect(queries.getQueryData<TransactionPage>(keys.firstPage)?.data).toEqual([first])
    expect(isAskedAgain(keys.firstPage)).toBe(false)
  })

  it('is not undone by an answer that was under way and is older', async () => {
    const { queries, keys } = aCache()
    const older = Promise.withResolvers<TransactionPage>()
    const answers = [
      older.promise,
      Promise.resolve({ data: [news], before: null, after: null, total: 1, position: 0 }),
    ]
    const list = new QueryObserver<TransactionPage>(queries, {
      queryKey: keys.firstPage,
      queryFn: () => answers.shift() ?? Promise.reject(new Error('Asked too often')),
    })
    const stop = list.subscribe(() => undefined)
    applyTransaction(queries, news)
    older.resolve({ data: [first], before: null, after: null, total: 1, position: 0 })
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0))
    expect(list.getCurrentResult().data?.data).toEqual([news])
    stop()
  })

  it('is not undone by a first answer that was under way either', async () => {
    const { queries, keys } = aCache()
    queries.removeQueries({ queryKey: keys.firstPage })
    const older = Promise.withResolvers<TransactionPage>()
    const answers = [
      older.promise,
      Promise.resolve({ data: [news], before: null, after: null, total: 1, position: 0 }),
    ]
    const list = new QueryObserver<TransactionPage>(queries, {
      queryKey: keys.firstPage,
      queryFn: () => answers.shift() ?? Promise.reject(new Error('Asked too often')),
    })
    const stop = list.subscribe(() => undefined)
    applyTransaction(queries, news)
    older.resolve({ data: [first], before: null, after: null, total: 1, position: 0 })
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0))
    expect(list.getCurrentResult().data?.data).toEqual([news])
    stop()
  })

  it('has the minimums asked for again, as what is left may be less or more', () => {
    const { queries, isAskedAgain } = aCache()
    const minimum = [...minimumsKey, 'eth']
    queries.setQueryData(minimum, {})
    applyTransaction(queries, news)
    expect(isAskedAgain(minimum)).toBe(true)
  })

  it('has the bonuses worked out again, as the one for a first purchase may have moved', () => {
    const { queries, isAskedAgain } = aCache()
    const preview = [...bonusKey(userId), 'eth', '1000']
    queries.setQueryData(preview, {})
    applyTransaction(queries, news)
    expect(isAskedAgain(preview)).toBe(true)
  })
})

describe('a transaction that is asked for', () => {
  const old = { ...first, status: 'pending' as const }
  const news = { ...first, status: 'processing' as const }

  it('is shown everywhere', async () => {
    const { queries, keys } = aCache()
    expect(await askForTransaction(queries, first, async () => news)).toEqual(news)
    expect(queries.getQueryData(keys.one)).toEqual(news)
  })

  it('is not put over what an event has brought while the answer was on its way', async () => {
    const { queries, keys } = aCache()
    const answer = await askForTransaction(queries, first, async () => {
      applyTransaction(queries, news)
      return old
    })
    expect(answer).toEqual(news)
    expect(queries.getQueryData(keys.one)).toEqual(news)
    expect(queries.getQueryData<TransactionPage>(keys.firstPage)?.data).toEqual([news])
  })
})
