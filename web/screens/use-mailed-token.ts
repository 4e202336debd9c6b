import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { searches, useSearch } from '#web/lib/paths.ts'

/**
 * The token of the mailed link that led here, undefined if there is none. It is removed from the
 * address, which others may see, and kept in the history entry instead.
 */
export function useMailedToken(): string | undefined {
  const { token } = useSearch(searches.mailedLink)
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (token !== undefined) void navigate(pathname, { replace: true, state: { token } })
  }, [token, pathname, navigate])
  return (token ?? state?.token) || undefined
}
