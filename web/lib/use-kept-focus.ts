import { useEffect, useRef, type RefObject } from 'react'

/** Dialogs return the focus within this time. */
const AFTER_DIALOGS_MS = 100

/**
 * Moves the focus to an element if whatever had it is gone, like a button that has done its work.
 * Checked whenever `key` changes.
 */
export function useKeptFocus(element: RefObject<HTMLElement | null>, key: string): void {
  const checked = useRef(key)
  useEffect(() => {
    // Nothing is gone when it appears: on a page that has just loaded, nothing has the focus yet.
    if (checked.current === key) return
    checked.current = key
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
    }, AFTER_DIALOGS_MS)
    return () => clearTimeout(timer)
  }, [element, key])
}
