import type { OpenDatabase } from './database/open-database.ts'
import type { LiveChange, LiveFeed, Log } from './services.ts'

/** The channel on which every committed change is told; see `notifyLive`. */
const CHANNEL = 'live'

export type RunningLiveFeed = LiveFeed & { close(): Promise<void> }

/** Passes on what the database notifies of: the changes of this instance and of all others. */
export async function startLiveFeed(
  open: Pick<OpenDatabase, 'listen'>,
  log: Log,
): Promise<RunningLiveFeed> {
  const listeners = new Set<(change: LiveChange) => void>()
  const tell = (listener: (change: LiveChange) => void, change: LiveChange) => {
    try {
      listener(change)
    } catch (error) {
      log.error({ error, change }, 'A listener failed at a live change')
    }
  }
  const close = await open.listen(CHANNEL, (payload) => {
    for (const change of JSON.parse(payload) as LiveChange[]) {
      for (const listener of listeners) tell(listener, change)
    }
  })
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close,
  }
}
