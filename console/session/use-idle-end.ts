import { useEffect, useEffectEvent } from 'react'
import { persisted } from '#web/lib/persisted.ts'
import { useSignOut } from './self.ts'

/** As on the server, which cannot tell a person's calls from an open page's refetches. */
const IDLE_MS = 30 * 60_000
const LOOK_EVERY_MS = 10_000
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/** All tabs share a session: activity in one of them keeps the others. */
const TOUCHED_AT = 'console-touched-at'

/** Ends a session that nobody is using any more, however often its open page refetches. */
export function useIdleEnd(isSignedIn: boolean): void {
  const signOut = useSignOut()
  const end = useEffectEvent(() => {
    // If the server does not answer, it is asked again at the next check.
    signOut().catch(() => undefined)
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
