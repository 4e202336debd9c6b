import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { IsRestoringProvider, useIsRestoring } from '@tanstack/react-query'
import type { LiveEvent } from '#contract/transactions.ts'
import { useIsPasswordDue, useUser } from './session-context.tsx'

export interface LiveListener {
  onEvent: (event: LiveEvent) => void
  /** At each connection: changes from before it have to be fetched. */
  onOpen?: () => void
}

/** Calls wait no longer for a stream; made before it, they are made again when it opens. */
const OPENING_MOST_MS = 1500

interface Live {
  listeners: Set<LiveListener>
  setLost: (isLost: boolean) => void
  /** Lets the first calls go, as this user's stream is open or will not be soon. */
  release: (userId: string) => void
}

const LiveContext = createContext<Live | null>(null)
const LostContext = createContext(false)

/**
 * Passes the events of the server on to all listeners; `useLiveStream` opens their stream. What a
 * page shows is asked for once it is open: asked for before, it would have to be asked for again,
 * as it may have changed in between.
 */
export function LiveEvents({ children }: { children: ReactNode }) {
  const userId = useUser()?.id
  const isPasswordDue = useIsPasswordDue()
  const [listeners] = useState(() => new Set<LiveListener>())
  const [isLost, setLost] = useState(false)
  const [releasedUserId, release] = useState<string>()
  const isOpening = userId !== undefined && userId !== releasedUserId && !isPasswordDue
  useEffect(() => {
    if (!isOpening) return
    const timer = setTimeout(() => release(userId), OPENING_MOST_MS)
    return () => clearTimeout(timer)
  }, [isOpening, userId])
  const live = useMemo(() => ({ listeners, setLost, release }), [listeners])
  return (
    <LiveContext value={live}>
      <LostContext value={isLost}>
        <IsRestoringProvider value={isOpening}>{children}</IsRestoringProvider>
      </LostContext>
    </LiveContext>
  )
}

export function useLive(): Live | null {
  return use(LiveContext)
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

/** Asks once when the page may ask for its data, and again whenever a later stream has opened. */
export function useAskWhenOpen(ask: () => void): void {
  const isOpening = useIsRestoring()
  const userId = useUser()?.id
  const askNow = useEffectEvent(ask)
  useLiveEvents({ onEvent: nothing, onOpen: () => !isOpening && ask() })
  useEffect(() => {
    if (userId !== undefined && !isOpening) askNow()
  }, [userId, isOpening])
}

const nothing = () => undefined

/** True once the stream has been broken for so long that the data may be out of date. */
export function useIsConnectionLost(): boolean {
  return use(LostContext)
}
