import { messageOf } from '#web/lib/api/call.ts'
import { createListeners } from '#web/lib/listeners.ts'

export type ToastTone = 'success' | 'error'

export interface ToastEntry {
  id: number
  tone: ToastTone
  message: string
}

const SHOWN_AT_ONCE = 4

let entries: readonly ToastEntry[] = []
let lastId = 0
const { subscribe, notify } = createListeners()

function change(next: readonly ToastEntry[]) {
  entries = next
  notify()
}

function show(tone: ToastTone, message: string) {
  lastId += 1
  change([...entries, { id: lastId, tone, message }].slice(-SHOWN_AT_ONCE))
}

/** Shows an alert at the bottom of the page for a while. */
export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  /** The server's own message for a failure; the fallback if it has none. */
  failed: (error: unknown, fallback: string) => show('error', messageOf(error, fallback)),
  /** Removes what is shown: it belongs to a step that is over. */
  clear: () => change([]),
}

/** The alerts that are shown now, for who draws them. */
export const toastStore = {
  read: () => entries,
  remove: (id: number) => change(entries.filter((entry) => entry.id !== id)),
  subscribe,
}
