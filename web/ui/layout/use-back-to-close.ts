import { useEffect, useEffectEvent, useId } from 'react'

/**
 * Lets the browser's back button close what is open, as people on phones expect of a dialog: an
 * entry is put on the history while it is open and taken off when it is closed another way.
 */
export function useBackToClose(isOpen: boolean, onClose: () => void) {
  const id = useId()
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return
    const isOnTop = () => window.history.state?.openDialog === id
    function closeWhenLeft() {
      if (!isOnTop()) close()
    }
    // Put off, because React mounts effects twice in development and going back is not immediate.
    const timer = setTimeout(() => {
      window.history.pushState({ ...window.history.state, openDialog: id }, '')
      window.addEventListener('popstate', closeWhenLeft)
    })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', closeWhenLeft)
      // Put off as well: whoever is sent to another page with it has left the entry behind already.
      setTimeout(() => isOnTop() && window.history.back())
    }
  }, [isOpen, id])
}
