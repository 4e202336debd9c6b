import type { LiveChange } from '#domain/live-change.ts'
import { LIVE_CHANNEL } from '#server/database/connection/notify-live.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import type { LiveFeed, Log } from '#server/ports/runtime.ts'

export type RunningLiveFeed = LiveFeed & { close(): Promise<void> }

type Listener = (change: LiveChange) => void

/** Distributes the notifications of the database: changes of this instance and of all others. */
export async function startLiveFeed(
  open: Pick<OpenDatabase, 'listen'>,
  log: Log,
): Promise<RunningLiveFeed> {
  const listeners = new Set<Listener>()
  /** By user, so that a purchase costs as little with ten thousand open pages as with none. */
  const byUser = new Map<string, Set<Listener>>()
  const gapListeners = new Set<() => void>()
  const notify = (listener: Listener, change: LiveChange) => {
    try {
      listener(change)
    } catch (error) {
      log.error({ error, change }, 'A listener failed on a live change')
    }
  }
  const notifyLocal = (change: LiveChange) => {
    for (const listener of listeners) notify(listener, change)
    if (!('userId' in change)) return
    for (const listener of byUser.get(change.userId) ?? []) notify(listener, change)
  }
  const close = await open.listen(LIVE_CHANNEL, {
    onPayload: (payload) => {
      for (const change of JSON.parse(payload) as LiveChange[]) notifyLocal(change)
    },
    onGap: () => {
      log.info({}, 'Live updates are received again. Open pages are sent to load again')
      for (const listener of gapListeners) listener()
    },
  })
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribeUser: (userId, listener) => {
      const theirs = byUser.get(userId) ?? new Set()
      byUser.set(userId, theirs.add(listener as Listener))
      return () => {
        theirs.delete(listener as Listener)
        if (theirs.size === 0 && byUser.get(userId) === theirs) byUser.delete(userId)
      }
    },
    onGap: (listener) => {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },
    notifyLocal,
    close,
  }
}
