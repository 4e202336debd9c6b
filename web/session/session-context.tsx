import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import type { User } from '#contract/shapes.ts'
import { CallError } from '#web/lib/call-error.ts'
import type { Session } from './session.ts'
import type { SessionState } from './session-state.ts'

const SessionContext = createContext<Session | null>(null)

interface SessionProviderProps {
  session: Session
  children: ReactNode
}

export function SessionProvider({ session, children }: SessionProviderProps) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/**
 * The session and what it can do. Its functions never change, so they may be left out of effects.
 */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) {
    const fault = { code: 401, message: 'Context not provided', reason: 'Unauthenticated' } as const
    throw new CallError(fault)
  }
  return session
}

/** The session's state; renders again when it changes. */
export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.read, session.read)
}

/** The user who is logged in, or null. */
export function useUser(): User | null {
  const state = useSessionState()
  return state.status === 'logged-in' ? state.user : null
}
