import { useQuery } from '@tanstack/react-query'
import { authContract } from '#contract/auth.ts'
import { useSession } from './session-context.tsx'

/** Whether two-factor login is on, and how many recovery codes are left. */
export function useTwoFactor(userId: string, { isEnabled = true } = {}) {
  const { callAs } = useSession()
  return useQuery({
    queryKey: ['user', userId, 'two-factor'],
    queryFn: ({ signal }) => callAs(authContract.getTwoFactor, {}, { signal }),
    enabled: isEnabled,
  })
}
