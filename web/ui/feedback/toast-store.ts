import { createListeners } from '#web/lib/listeners.ts'

export type ToastTone = 'success' | 'error' | 'info'

export interface ToastEntry {
  id: number
  tone: ToastTone
  message: string
  durationMs: number
}

/** Specification section 9. */
const DURATION_MS = 4000
const SHOWN_AT_ONCE = 4

let entries: readonly ToastEntry[] = []
let lastId = 0
const { subscribe, tell } = createListeners()

function change(next: readonly ToastEntry[]) {
  entries = next
  tell()
}

function show(tone: ToastTone, message: string, durationMs = DURATION_MS) {
  lastId += 1
  change([...entries, { id: lastId, tone, message, durationMs }].slice(-SHOWN_AT_ONCE))
}

/** Shows an alert at the bottom of the page, for 4000 ms unless said otherwise. */
export const toast = {
  success: (message: string, durationMs?: number) => show('success', message, durationMs),
  error: (message: string, durationMs?: number) => show('error', message, durationMs),
  info: (message: string, durationMs?: number) => show('info', message, durationMs),
}

/** The alerts that are shown now, for who draws them. */
export const toastStore = {
  read: () => entries,
  remove: (id: number) => change(entries.filter((entry) => entry.id !== id)),
  subscribe,
}
