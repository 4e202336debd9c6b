import { useEffect, type RefObject } from 'react'

/** Dialogs give the focus back within this time. */
const AFTER_DIALOGS_MS = 100

/**
 * Gives the focus to an element where what had it has gone, as a button does that has done its
 * work. Looked at whenever `key` changes.
 */
export function useKeptFocus(element: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
    }, AFTER_DIALOGS_MS)
    return () => clearTimeout(timer)
  }, [element, key])
}
