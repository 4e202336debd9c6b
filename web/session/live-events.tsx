import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { transactionsContract, type LiveEvent } from '#contract/transactions.ts'
import { useIsPasswordDue, useSession, useUser } from './session-context.tsx'

export interface LiveListener {
  onEvent: (event: LiveEvent) => void
  /** At each connection: changes from before it have to be fetched. */
  onOpen?: () => void
}

/** A shorter interruption is not worth a notice. */
const QUIET_LOSS_MS = 5000

interface Live {
  listeners: Set<LiveListener>
  setLost: (isLost: boolean) => void
}

const LiveContext = createContext<Live | null>(null)
const LostContext = createContext(false)

/**
 * Passes the events of the server on to all listeners; {@link useLiveStream} opens their stream.
 */
export function LiveEvents({ children }: { children: ReactNode }) {
  const [listeners] = useState(() => new Set<LiveListener>())
  const [isLost, setLost] = useState(false)
  const live = useMemo(() => ({ listeners, setLost }), [listeners])
  return (
    <LiveContext value={live}>
      <LostContext value={isLost}>{children}</LostContext>
    </LiveContext>
  )
}

/**
 * Keeps one stream of events open while a user is logged in. Call it after the listeners of the
 * page were added: a later one would miss the opening, and with it what changed between the first
 * answers and the stream.
 */
export function useLiveStream(): void {
  const live = use(LiveContext)
  const session = useSession()
  const userId = useUser()?.id
  const isPasswordDue = useIsPasswordDue()
  useEffect(() => {
    if (userId === undefined || live === null || isPasswordDue) return
    const { listeners, setLost } = live
    const ending = new AbortController()
    let loss: ReturnType<typeof setTimeout> | undefined
    const find = () => {
      clearTimeout(loss)
      loss = undefined
      setLost(false)
    }
    void import('#web/lib/api/stream.ts').then(({ readStream }) =>
      readStream({
        endpoint: transactionsContract.streamEvents,
        input: {},
        getAccessToken: session.freshToken,
        onEvent: (event) => listeners.forEach((listener) => listener.onEvent(event)),
        onOpen: () => {
          find()
          listeners.forEach((listener) => listener.onOpen?.())
        },
        onRefused: ({ reason }) => {
          // What the server asks for first is known from the call that loads the user.
          if (reason === 'PasswordChangeRequired') void session.loadUser()
        },
        onLost: () => {
          loss ??= setTimeout(() => setLost(true), QUIET_LOSS_MS)
        },
        signal: ending.signal,
      }),
    )
    return () => {
      ending.abort()
      find()
    }
  }, [userId, isPasswordDue, session, live])
}

/** Listens to the events of the server while the component is mounted and a user is logged in. */
export function useLiveEvents(listener: LiveListener) {
  const live = use(LiveContext)
  const onEvent = useEffectEvent(listener.onEvent)
  const onOpen = useEffectEvent(() => listener.onOpen?.())
  useEffect(() => {
    const heard: LiveListener = { onEvent: (event) => onEvent(event), onOpen: () => onOpen() }
    live?.listeners.add(heard)
    return () => void live?.listeners.delete(heard)
  }, [live])
}

/** True once the stream has been broken for so long that the data may be out of date. */
export function useIsConnectionLost(): boolean {
  return use(LostContext)
}
