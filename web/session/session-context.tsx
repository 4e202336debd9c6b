import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import type { User } from '#contract/shapes.ts'
import { CallError } from '#web/lib/api/call.ts'
import type { SessionState } from './session-state.ts'
import type { Session } from './session.ts'

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The session and its functions. These never change, so effects need not list them. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) {
    const fault = { code: 401, message: 'Context not provided', reason: 'Unauthenticated' } as const
    throw new CallError(fault)
  }
  return session
}

/** Nobody is logged in and nothing is dismissed: the state in which the server renders a page. */
const visitor: SessionState = { status: 'logged-out', by: 'nobody', dismissedBanners: [] }

/** The session's state; renders again when it changes. */
export function useSessionState(): SessionState {
  const session = useSession()
  function readServed() {
    // The same object if nothing has changed: another one would render the whole page again.
    const state = session.read()
    return state.dismissedBanners.length === 0 ? state : visitor
  }
  return useSyncExternalStore(session.subscribe, session.read, readServed)
}

/** Whether another password has to be chosen before the server answers anything else. */
export function useIsPasswordDue(): boolean {
  const state = useSessionState()
  return state.status === 'logged-in' && state.obstacle === 'PasswordChangeRequired'
}

export function useUser(): User | null {
  const state = useSessionState()
  return state.status === 'logged-in' ? state.user : null
}
