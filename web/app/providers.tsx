import { Suspense, useEffect, type ReactNode } from 'react'
import { QueryClientProvider, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { LiveEvents } from '#web/session/live-events.tsx'
import { SessionProvider, useSession, useUser } from '#web/session/session-context.tsx'
import type { Session } from '#web/session/session.ts'

const LiveUpdates = lazyComponent(async () => (await import('./live-updates.tsx')).LiveUpdates)

interface ProvidersProps {
  session: Session
  queryClient: QueryClient
  children: ReactNode
}

/** What every page stands on: the session, the server's data, and the stream of its changes. */
export function Providers({ session, queryClient, children }: ProvidersProps) {
  return (
    <SessionProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <UserData />
        <LiveEvents>
          <UserLiveUpdates />
          {children}
        </LiveEvents>
      </QueryClientProvider>
    </SessionProvider>
  )
}

/** Brings the user up to date when the page opens, and forgets one user's data before the next. */
function UserData() {
  const session = useSession()
  const userId = useUser()?.id
  const queryClient = useQueryClient()
  useEffect(() => {
    if (userId === undefined) return
    void session.loadUser()
    return () => queryClient.removeQueries({ queryKey: ['user'] })
  }, [userId, session, queryClient])
  return null
}

/** Only for who is logged in, and after the page: a login page needs none of it. */
function UserLiveUpdates() {
  if (useUser() === null) return null
  return (
    <Suspense fallback={null}>
      <LiveUpdates />
    </Suspense>
  )
}
