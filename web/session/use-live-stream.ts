import { useEffect } from 'react'
import { transactionsContract } from '#contract/transactions.ts'
import { readStream } from '#web/lib/api/stream.ts'
import { useLive } from './live-events.tsx'
import { useIsPasswordDue, useSession, useUser } from './session-context.tsx'

/** A shorter interruption does not deserve a notice. */
const QUIET_LOSS_MS = 5000

/**
 * Keeps one stream of events open while a user is logged in. Call it after the page's listeners
 * were added: a later one would miss the opening, and with it what changed between the first
 * replies and the stream.
 */
export function useLiveStream(): void {
  const live = useLive()
  const session = useSession()
  const userId = useUser()?.id
  const isPasswordDue = useIsPasswordDue()
  useEffect(() => {
    if (userId === undefined || live === null || isPasswordDue) return
    const { listeners, setLost, release } = live
    const ending = new AbortController()
    let loss: ReturnType<typeof setTimeout> | undefined
    const find = () => {
      clearTimeout(loss)
      loss = undefined
      setLost(false)
    }
    void readStream({
      endpoint: transactionsContract.streamEvents,
      input: {},
      getAccessToken: session.freshToken,
      onEvent: (event) => listeners.forEach((listener) => listener.onEvent(event)),
      onOpen: () => {
        find()
        // Before the first calls are released: whatever is in the cache by then is fetched with
        // them.
        listeners.forEach((listener) => listener.onOpen?.())
        release(userId)
      },
      onRefused: ({ reason }) => {
        // What the server requires first is known from the call that loads the user.
        if (reason === 'PasswordChangeRequired') void session.loadUser()
      },
      onLost: () => {
        release(userId)
        loss ??= setTimeout(() => setLost(true), QUIET_LOSS_MS)
      },
      signal: ending.signal,
    })
    return () => {
      ending.abort()
      find()
    }
  }, [userId, isPasswordDue, session, live])
}
