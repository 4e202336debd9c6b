import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { CallError, messageOf } from '#web/lib/api/call.ts'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { ScreenWaiting } from '#console/shell/screen-waiting.tsx'
import { selfQuery } from './self.ts'
import { useIdleEnd } from './use-idle-end.ts'

const isOver = (error: unknown) => error instanceof CallError && error.code === 401

/**
 * Shows its children to people who are signed in, and sends everybody else to the sign-in and back.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const query = useQuery(selfQuery)
  const { data, error } = query
  const { pathname, search } = useLocation()
  useSessionEnds()
  useIdleEnd(data !== undefined)
  if (isOver(error)) {
    const back = pathname + search
    return (
      <Navigate to={back === '/' ? '/login' : `/login?to=${encodeURIComponent(back)}`} replace />
    )
  }
  if (data !== undefined) return children
  if (error === null) return <ScreenWaiting isAlone />
  return (
    <ErrorState title="The console could not be loaded" query={query}>
      {messageOf(error, 'The server does not answer.')}
    </ErrorState>
  )
}

/** If any call finds that the session is over, it ends here too. */
function useSessionEnds() {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type !== 'updated' || query.queryKey[1] === 'self') return
        if (isOver(query.state.error)) void client.resetQueries(selfQuery)
      }),
    [client],
  )
}
