import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { searches } from '#web/lib/paths.ts'
import { useSearch } from '#web/lib/use-search.ts'

/**
 * The token of the mailed link that led here, undefined where there is none. It is taken out of the
 * address, which others may see, and kept with the entry of the history instead.
 */
export function useMailedToken(): string | undefined {
  const { token } = useSearch(searches.mailedLink)
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (token !== undefined) void navigate(pathname, { replace: true, state: { token } })
  }, [token, pathname, navigate])
  return (token ?? tokenOf(state)) || undefined
}

function tokenOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('token' in state)) return undefined
  return typeof state.token === 'string' ? state.token : undefined
}
