import { useQuery } from '@tanstack/react-query'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { useSession, useUser } from '#web/session/session-context.tsx'
import { transactionKeys } from './transaction-cache.ts'

/** The most that the server returns at a time; more could not be told apart in a drawing. */
const LIMIT = '100'

/**
 * The user's newest completed purchases; none while they load. Their cache key is below that of the
 * list, so that live events reach them too.
 */
export function useCompletedPurchases({ isEnabled }: { isEnabled: boolean }): Transaction[] {
  const { callAs } = useSession()
  const userId = useUser()?.id
  const { data } = useQuery({
    queryKey: [...transactionKeys.filtered(userId, 'done'), 'newest'],
    queryFn: ({ signal }) =>
      callAs(
        usersContract.listTransactions,
        { params: { id: userId ?? '' }, query: { state: 'done', limit: LIMIT } },
        { signal },
      ),
    enabled: isEnabled && userId !== undefined,
  })
  return (data?.data ?? []).filter(
    ({ type, status }) => type === 'purchase' && status === 'completed',
  )
}
