import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usersContract } from '#contract/users.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useOwnQuery } from '#web/session/own-query.ts'
import { useUser } from '#web/session/session-context.tsx'

/** Loaded once for each logged-in user, and kept until the logout; specification section 4. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export function useReferralLink() {
  const id = useUser()?.id ?? ''
  const query = useOwnQuery(['referral-link'], usersContract.getReferralLink, { params: { id } })
  return useQuery({ ...query, enabled: id !== '', ...ONCE })
}

export function useReferralStats() {
  const id = useUser()?.id ?? ''
  const query = useOwnQuery(['referrals'], usersContract.getReferrals, { params: { id } })
  return useQuery({ ...query, enabled: id !== '', ...ONCE })
}

/**
 * Only a reward, or its reversal, changes the statistics; nothing else refetches them, except that
 * one may have come while the connection was lost.
 */
export function useLiveReferrals(): void {
  const queries = useQueryClient()
  const id = useUser()?.id
  const refetch = () => void queries.invalidateQueries({ queryKey: ['user', id, 'referrals'] })
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'transaction' && event.transaction.type === 'referral') refetch()
    },
    onOpen: refetch,
  })
}
