import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useState, type ReactNode, useEffectEvent } from 'react'
import { Navigate, useLocation } from 'react-router'
import { ScreenWaiting } from '#console/shell/screen-waiting.tsx'
import { messageOf } from '#web/lib/api/call.ts'
import { persisted } from '#web/lib/persisted.ts'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { isSignedOut, selfQuery, useSignOut } from './self.ts'

/**
 * Shows its children to people who are signed in, and sends everybody else to the sign-in and back.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const query = useQuery(selfQuery)
  const { data, error } = query
  const { pathname, search } = useLocation()
  const [hasEnded, setEnded] = useState(false)
  useSessionEnds(() => setEnded(true))
  useIdleEnd(data !== undefined, setEnded)
  if (isSignedOut(error)) {
    const back = pathname + search
    return (
      <Navigate
        to={back === '/' ? '/login' : `/login?to=${encodeURIComponent(back)}`}
        // Whoever presses Sign out need not be told that the session has ended.
        state={{ hasEnded: hasEnded || data !== undefined }}
        replace
      />
    )
  }
  if (data !== undefined) return <Fragment key={data.id}>{children}</Fragment>
  if (error === null) return <ScreenWaiting isAlone />
  return (
    <ErrorState title="The console could not be loaded" query={query}>
      {messageOf(error, 'The server does not answer.')}
    </ErrorState>
  )
}

/** If any call finds that the session is over, it ends here too. */
function useSessionEnds(onEnd: () => void) {
  const client = useQueryClient()
  const end = useEffectEvent(() => {
    // By Sign out it is over already.
    if (client.getQueryData(selfQuery.queryKey) !== undefined) onEnd()
    void client.resetQueries(selfQuery)
  })
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type !== 'updated' || query.queryKey[1] === 'self') return
        if (isSignedOut(query.state.error)) end()
      }),
    [client],
  )
}

/** As on the server, which cannot tell a person's calls from an open page's refetches. */
const IDLE_MS = 30 * 60_000
const LOOK_EVERY_MS = 10_000
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/** All tabs share a session: activity in one of them keeps the others. */
const TOUCHED_AT = 'console-touched-at'

/** Ends a session that nobody is using any more, however often its open page refetches. */
function useIdleEnd(isSignedIn: boolean, setEnded: (hasEnded: boolean) => void): void {
  const signOut = useSignOut()
  const end = useEffectEvent(() => {
    setEnded(true)
    // If the server does not answer, it is asked again at the next check.
    signOut().catch(() => setEnded(false))
  })
  useEffect(() => {
    if (!isSignedIn) return
    let touchedAt = Date.now()
    const touch = () => {
      touchedAt = Date.now()
    }
    const look = () => {
      const elsewhere = Number(persisted.read(TOUCHED_AT) ?? 0)
      if (touchedAt > elsewhere) persisted.write(TOUCHED_AT, touchedAt)
      if (Date.now() - Math.max(touchedAt, elsewhere) >= IDLE_MS) end()
    }
    for (const kind of TOUCHES) addEventListener(kind, touch, { passive: true })
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      for (const kind of TOUCHES) removeEventListener(kind, touch)
      clearInterval(timer)
    }
  }, [isSignedIn])
}
