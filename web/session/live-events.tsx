import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { transactionsContract, type LiveEvent } from '#contract/transactions.ts'
import { useSession, useUser } from './session-context.tsx'

export interface LiveListener {
  onEvent: (event: LiveEvent) => void
  /** At each connection: what changed while there was none has to be asked for. */
  onOpen?: () => void
}

const LiveContext = createContext<Set<LiveListener> | null>(null)

/** Keeps one stream of the server's events open while somebody is logged in, for all who listen. */
export function LiveEvents({ children }: { children: ReactNode }) {
  const [listeners] = useState(() => new Set<LiveListener>())
  const session = useSession()
  const userId = useUser()?.id
  useEffect(() => {
    if (userId === undefined) return
    const ending = new AbortController()
    void import('#web/lib/stream.ts').then(({ readStream }) =>
      readStream({
        endpoint: transactionsContract.streamEvents,
        input: {},
        getAccessToken: session.freshToken,
        onEvent: (event) => listeners.forEach((listener) => listener.onEvent(event)),
        onOpen: () => listeners.forEach((listener) => listener.onOpen?.()),
        signal: ending.signal,
      }),
    )
    return () => ending.abort()
  }, [userId, session, listeners])
  return <LiveContext value={listeners}>{children}</LiveContext>
}

/** Hears what changes on the server while the component is shown and somebody is logged in. */
export function useLiveEvents(listener: LiveListener) {
  const listeners = use(LiveContext)
  const onEvent = useEffectEvent(listener.onEvent)
  const onOpen = useEffectEvent(() => listener.onOpen?.())
  useEffect(() => {
    const heard: LiveListener = { onEvent: (event) => onEvent(event), onOpen: () => onOpen() }
    listeners?.add(heard)
    return () => void listeners?.delete(heard)
  }, [listeners])
}
