import { useQuery } from '@tanstack/react-query'
import { authContract } from '#contract/auth.ts'
import { usersContract } from '#contract/users.ts'
import { useSession } from '#web/session/session-context.tsx'

/** Whether two-factor login is on, and how many recovery codes are left. */
export function useTwoFactor(userId: string, { isEnabled = true } = {}) {
  const { callAs } = useSession()
  return useQuery({
    queryKey: ['user', userId, 'two-factor'],
    queryFn: ({ signal }) => callAs(authContract.getTwoFactor, {}, { signal }),
    enabled: isEnabled,
  })
}

/** Where the user is logged in. */
export function useSessions(userId: string) {
  const { callAs } = useSession()
  return useQuery({
    queryKey: ['user', userId, 'sessions'],
    queryFn: ({ signal }) =>
      callAs(usersContract.listSessions, { params: { id: userId } }, { signal }),
  })
}
