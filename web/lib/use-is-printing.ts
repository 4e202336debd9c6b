import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isAsked = false

/** Print-only content is laid out right after these events are handled, so it cannot wait. */
function subscribe(notify: () => void) {
  const media = window.matchMedia('print')
  const update = () => flushSync(notify)
  function begin() {
    isAsked = true
    update()
  }
  function end() {
    isAsked = false
    update()
  }
  media.addEventListener('change', update)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    media.removeEventListener('change', update)
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

const isPrinting = () => isAsked || window.matchMedia('print').matches

/** Whether the page is being printed right now, or saved as a PDF. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, isPrinting, () => false)
}
