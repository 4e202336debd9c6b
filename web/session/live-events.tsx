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
  /** At each connection: earlier changes have to be fetched. */
  onOpen?: () => void
}

/**
 * After this, calls no longer wait for a stream; those made before it are repeated when it opens.
 */
const OPENING_MOST_MS = 1500

interface Live {
  listeners: Set<LiveListener>
  setLost: (isLost: boolean) => void
  /** Lets the first calls go, since this user's stream is open or will not be soon. */
  release: (userId: string) => void
}

const LiveContext = createContext<Live | null>(null)
const LostContext = createContext(false)

/**
 * Passes the server's events to all listeners; `useLiveStream` opens their stream. A page's data is
 * fetched once it is open: earlier data would have to be fetched again, since it may have changed
 * in between.
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

/** Listens to the server's events while the component is mounted and a user is logged in. */
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

/** Fetches once when the page may fetch its data, and again whenever a later stream has opened. */
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

/** True once the stream has been broken so long that the data may be out of date. */
export function useIsConnectionLost(): boolean {
  return use(LostContext)
}
