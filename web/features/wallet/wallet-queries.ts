import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { useOwnQuery } from '#web/session/own-query.ts'
import { useUser } from '#web/session/session-context.tsx'

/** How often it is asked whether a change that is due has taken effect. */
const OVERDUE_REFETCH_MS = 5000

/** Where the user's tokens go. Use it only in a sale that delivers them. */
export function useOwnWallet() {
  return useQuery({
    ...useOwnQuery(['wallet'], walletsContract.getOwnWallet, {}),
    refetchInterval: ({ state }) => isOverdue(state.data) && OVERDUE_REFETCH_MS,
  })
}

function isOverdue(own: ReceivingWallet | undefined): boolean {
  return own?.change != null && onThisClock(own.change.effective_date) <= Date.now()
}

/** Stores the server's reply to a change; refetches if it is left out. */
export function useTakeWallet(): (wallet?: ReceivingWallet) => void {
  const queries = useQueryClient()
  const queryKey = ['user', useUser()?.id, 'wallet']
  return (wallet) => {
    if (wallet === undefined) void queries.invalidateQueries({ queryKey })
    else queries.setQueryData(queryKey, wallet)
  }
}
