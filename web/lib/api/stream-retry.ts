import { saleContract } from '#contract/sale.ts'
import { send } from './call.ts'

const FIRST_MS = 500
const MOST_MS = 10_000
const PROBE_TIMEOUT_MS = 5000

/**
 * How long to wait before the next attempt after that many consecutive failures: twice as long
 * after each, and never quite the same for everybody who was cut off at once. `chance` is from 0 to
 * 1.
 */
export function retryMs(failures: number, chance: number): number {
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1))
  return most * (0.5 + chance / 2)
}

/**
 * Ends early when the network comes back, when somebody looks at the page again, and when the
 * signal aborts.
 */
export function pauseBeforeRetry(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { signal: over.signal })
    onPageChange({ online: end, visible: end }, over.signal)
  })
}

interface PageChange {
  /** The device has a network again. */
  online?: () => void
  /** It has lost it. */
  offline?: () => void
  /** Somebody looks at the page again. */
  visible?: () => void
}

/** Listens to the events of the page until the signal aborts. */
export function onPageChange({ online, offline, visible }: PageChange, signal: AbortSignal): void {
  if (online !== undefined) window.addEventListener('online', online, { signal })
  if (offline !== undefined) window.addEventListener('offline', offline, { signal })
  const onVisibility = () => {
    if (document.visibilityState === 'visible') visible?.()
  }
  document.addEventListener('visibilitychange', onVisibility, { signal })
}

/**
 * Whether the server answers, by a call that needs no login. Checked before an attempt with an
 * access token that may have expired: a session must not end because the server was not there to
 * renew it.
 */
export async function isServerThere(signal: AbortSignal): Promise<boolean> {
  const options = { signal, timeoutMs: PROBE_TIMEOUT_MS }
  const reply = await send(saleContract.getCurrentProject, {}, options).catch(() => null)
  return reply !== null && reply.status < 500
}
