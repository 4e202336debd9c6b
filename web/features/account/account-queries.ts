import { useQuery } from '@tanstack/react-query'
import { usersContract } from '#contract/users.ts'
import { useSession } from '#web/session/session-context.tsx'

/** Where the user is logged in. */
export function useSessions(userId: string) {
  const { callAs } = useSession()
  return useQuery({
    queryKey: ['user', userId, 'sessions'],
    queryFn: ({ signal }) =>
      callAs(usersContract.listSessions, { params: { id: userId } }, { signal }),
  })
}
