import { useQuery } from '@tanstack/react-query'
import { authContract } from '#contract/auth.ts'
import { useSession, useUser } from './session-context.tsx'

/** Whether the user's two-factor login is on, and how many recovery codes are left. */
export function useTwoFactor({ isEnabled = true } = {}) {
  const { callAs } = useSession()
  const userId = useUser()?.id
  return useQuery({
    queryKey: ['user', userId, 'two-factor'],
    queryFn: ({ signal }) => callAs(authContract.getTwoFactor, {}, { signal }),
    enabled: isEnabled,
  })
}
