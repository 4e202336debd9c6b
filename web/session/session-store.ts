import { createListeners } from '#web/lib/listeners.ts'
import { reduceSession, type SessionAction, type SessionState } from './session-state.ts'
import type { SessionStorage } from './session-storage.ts'

/** Holds the session's state, stores each change and follows changes by other tabs. */
export function createSessionStore(storage: SessionStorage) {
  let state = readFirst(storage)
  const { subscribe, notify } = createListeners()

  function apply(action: SessionAction) {
    const next = reduceSession(state, action)
    const before = state
    if (next === before) return
    state = next
    if (action.type !== 'read-again') storage.write(next, before)
    notify()
  }

  storage.watch(() => apply({ type: 'read-again', stored: storage.read() }))
  return { read: () => state, apply, subscribe }
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** The rest of a session that cannot continue is cleared, as by any other logout. */
function readFirst(storage: SessionStorage): SessionState {
  const found = storage.read()
  if (found.status === 'logged-in' || found.by !== 'server') return found
  const cleared: SessionState = { ...found, dismissedBanners: [] }
  storage.write(cleared, found)
  return cleared
}
