import { Suspense, useEffect, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession, useSessionState } from '#web/session/session-context.tsx'

const VerifyNotice = lazyComponent(
  () => import('#web/features/account/verification/verify-notice.tsx'),
  'VerifyNotice',
)

/** Who may see a page; specification section 6. */
export type Visibility = 'everybody' | 'logged-in' | 'logged-out'

/**
 * Redirects users who may not see a page. After a login they return to the page they asked for,
 * unless they had logged out themselves.
 */
export function Guard({ visibleTo, children }: { visibleTo: Visibility; children: ReactNode }) {
  const { land } = useSession()
  const session = useSessionState()
  const location = useLocation()
  useEffect(() => {
    if (visibleTo !== 'logged-out') land()
  }, [visibleTo, land])
  if (visibleTo === 'logged-in') {
    if (session.status === 'logged-out') {
      const { pathname, search, hash } = location
      const from = session.by === 'user' ? null : pathname + search + hash
      return <Navigate to={paths.login} replace state={{ from }} />
    }
    // Another tab may log somebody else in: what one user's page shows or keeps is not for them.
    return <AccountNotices key={session.user.id}>{children}</AccountNotices>
  }
  if (visibleTo === 'logged-out' && session.status === 'logged-in') {
    const target = session.landing ?? location.state?.from ?? paths.dashboard
    return <Navigate to={target} replace state={{ insteadOf: location.pathname }} />
  }
  return children
}

/**
 * Shows a notice above the page that an address has to be verified. While a password has to be
 * changed, only the account page can be opened; it shows the notice itself.
 */
function AccountNotices({ children }: { children: ReactNode }) {
  const { loadUser } = useSession()
  const state = useSessionState()
  const isAccount = useLocation().pathname === paths.account
  const obstacle = state.status === 'logged-in' ? state.obstacle : null
  useEffect(() => {
    // It may have been done in another tab or on another device meanwhile.
    if (obstacle !== null) void loadUser()
  }, [obstacle, loadUser])
  if (obstacle === 'PasswordChangeRequired' && !isAccount) {
    return <Navigate to={paths.account} replace />
  }
  // The page stays mounted, with everything typed into it, while the notice comes and goes.
  return (
    <>
      {state.status === 'logged-in' && obstacle === 'EmailNotVerified' && (
        <Suspense fallback={null}>
          <VerifyNotice user={state.user} hasResend={isAccount} />
        </Suspense>
      )}
      {children}
    </>
  )
}
