import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { call } from '#web/lib/api/call.ts'

export const accountQuery = queryOptions({
  queryKey: ['operator', 'me'],
  queryFn: ({ signal }) => call(accountContract.getAccount, {}, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['operator', 'me', 'sessions'],
  queryFn: ({ signal }) => call(accountContract.listOwnSessions, {}, { signal }),
})

export const historyKey = ['operator', 'me', 'history'] as const

/** Shows the account as changed, and refetches the rest. */
export function useKeepAccount(): (account: OperatorAccount) => void {
  const client = useQueryClient()
  return (account) => {
    client.setQueryData(accountQuery.queryKey, account)
    void client.invalidateQueries({ queryKey: historyKey })
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
}
