import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { selfQuery } from './self.ts'

/** Continues after a sign-in: to where the person was redirected from, within the console only. */
export function useBegin(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  return async () => {
    await client.resetQueries(selfQuery)
    await client.fetchQuery(selfQuery)
    await navigate(pathOf(params.get('to')), { replace: true })
  }
}

/**
 * A path of the console, which begins with a single slash; anything else leads to its first screen.
 */
export function pathOf(to: string | null): string {
  return to !== null && /^\/(?![/\\])[^\\]*$/.test(to) && !to.startsWith('/login') ? to : '/'
}
