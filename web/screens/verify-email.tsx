import { Navigate, useLocation } from 'react-router'
import { Verification } from '#web/features/account/verification/verification.tsx'
import { paths, searches, useSearch } from '#web/lib/paths.ts'
import { useUser } from '#web/session/session-context.tsx'

/** A link opened while logged out continues after the login. */
export function VerifyEmailScreen() {
  const { token } = useSearch(searches.mailedLink)
  const location = useLocation()
  const isLoggedOut = useUser() === null
  if (isLoggedOut && token !== undefined && token !== '') {
    return (
      <Navigate to={paths.login} replace state={{ from: location.pathname + location.search }} />
    )
  }
  return <Verification token={token} />
}
