import { useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { useIsPasswordDue, useSession, useUser } from '#web/session/session-context.tsx'

/** The promotions of a logged-in user, whose pictures are files; specification section 4. */
export function usePromotions() {
  const { callAs } = useSession()
  const userId = useUser()?.id
  const isPasswordDue = useIsPasswordDue()
  return useQuery({
    queryKey: ['user', userId, 'promotions'],
    queryFn: ({ signal }) => callAs(saleContract.listPromotions, {}, { signal }),
    enabled: userId !== undefined && !isPasswordDue,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
