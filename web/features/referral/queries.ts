import { useQuery } from '@tanstack/react-query'
import { usersContract } from '#contract/users.ts'
import { useSession, useUser } from '#web/session/session-context.tsx'

/** Loaded once for each user who is logged in; specification section 4. */
export function useReferralLink() {
  const { callAs } = useSession()
  const id = useUser()?.id ?? ''
  return useQuery({
    queryKey: ['user', id, 'referral-link'],
    queryFn: ({ signal }) => callAs(usersContract.getReferralLink, { params: { id } }, { signal }),
    enabled: id !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useReferralStats() {
  const { callAs } = useSession()
  const id = useUser()?.id ?? ''
  return useQuery({
    queryKey: ['user', id, 'referrals'],
    queryFn: ({ signal }) => callAs(usersContract.getReferrals, { params: { id } }, { signal }),
    enabled: id !== '',
  })
}
