import { useQuery } from '@tanstack/react-query'
import { saleContract } from '#contract/sale.ts'
import { useOwnQuery } from '#web/session/own-query.ts'
import { useIsPasswordDue, useUser } from '#web/session/session-context.tsx'

/** The promotions of a logged-in user, whose pictures are files; specification section 4. */
export function usePromotions() {
  const isLoggedIn = useUser() !== null
  const isPasswordDue = useIsPasswordDue()
  return useQuery({
    ...useOwnQuery(['promotions'], saleContract.listPromotions, {}),
    enabled: isLoggedIn && !isPasswordDue,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
