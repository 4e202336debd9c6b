import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { useSession, useUser } from '#web/session/session-context.tsx'

const keyOf = (userId: string | undefined) => ['user', userId, 'wallet']

/** Where the user's tokens go. Use it only in a sale that delivers them. */
export function useOwnWallet() {
  const { callAs } = useSession()
  return useQuery({
    queryKey: keyOf(useUser()?.id),
    queryFn: ({ signal }) => callAs(walletsContract.getOwnWallet, {}, { signal }),
  })
}

/** Stores the server's reply to a change; refetches if it is left out. */
export function useTakeWallet(): (wallet?: ReceivingWallet) => void {
  const queries = useQueryClient()
  const queryKey = keyOf(useUser()?.id)
  return (wallet) => {
    if (wallet === undefined) void queries.invalidateQueries({ queryKey })
    else queries.setQueryData(queryKey, wallet)
  }
}
