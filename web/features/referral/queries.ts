import { useQuery, useQueryClient } from '@tanstack/react-query'
import { usersContract } from '#contract/users.ts'
import { useLiveEvents } from '#web/session/live-events.tsx'
import { useSession, useUser } from '#web/session/session-context.tsx'

/** Loaded once for each logged-in user, and kept until the logout; specification section 4. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export function useReferralLink() {
  const { callAs } = useSession()
  const id = useUser()?.id ?? ''
  return useQuery({
    queryKey: ['user', id, 'referral-link'],
    queryFn: ({ signal }) => callAs(usersContract.getReferralLink, { params: { id } }, { signal }),
    enabled: id !== '',
    ...ONCE,
  })
}

export function useReferralStats() {
  const { callAs } = useSession()
  const id = useUser()?.id ?? ''
  return useQuery({
    queryKey: statsKey(id),
    queryFn: ({ signal }) => callAs(usersContract.getReferrals, { params: { id } }, { signal }),
    enabled: id !== '',
    ...ONCE,
  })
}

/** Only a reward, or its reversal, changes the statistics; nothing else refetches them. */
export function useLiveReferrals(): void {
  const queries = useQueryClient()
  const id = useUser()?.id ?? ''
  useLiveEvents({
    onEvent: (event) => {
      if (event.type !== 'transaction' || event.transaction.type !== 'referral') return
      void queries.invalidateQueries({ queryKey: statsKey(id) })
    },
  })
}

const statsKey = (userId: string) => ['user', userId, 'referrals']
