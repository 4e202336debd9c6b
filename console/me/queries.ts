import { useQueryClient } from '@tanstack/react-query'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

export const accountQuery = callQuery(['operator', 'me'], accountContract.getAccount, {})

export const sessionsQuery = callQuery(
  ['operator', 'me', 'sessions'],
  accountContract.listOwnSessions,
  {},
)

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
