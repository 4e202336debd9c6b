import { useEffect, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { useSession, useSessionState } from '#web/session/session-context.tsx'

/** Who may see a page; specification section 6. */
export type Visibility = 'everybody' | 'logged-in' | 'logged-out'

interface GuardProps {
  visibleTo: Visibility
  children: ReactNode
}

/**
 * Sends away whom a page is not for. Somebody who was on the way to a page comes back to it after
 * the login, but not after having logged out oneself.
 */
export function Guard({ visibleTo, children }: GuardProps) {
  const { land } = useSession()
  const session = useSessionState()
  const location = useLocation()
  useEffect(() => {
    if (visibleTo !== 'logged-out') land()
  }, [visibleTo, land])
  if (visibleTo === 'logged-in' && session.status === 'logged-out') {
    const from = session.by === 'user' ? null : location.pathname + location.search
    return <Navigate to={paths.login} replace state={{ from }} />
  }
  if (visibleTo === 'logged-out' && session.status === 'logged-in') {
    const target = session.landing ?? originOf(location.state) ?? paths.dashboard
    return <Navigate to={target} replace />
  }
  return children
}

function originOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('from' in state)) return null
  return typeof state.from === 'string' ? state.from : null
}
