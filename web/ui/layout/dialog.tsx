import { Suspense, useEffect, useEffectEvent, useId } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { DialogPanelProps } from './dialog-panel.tsx'

const DialogPanel = lazyComponent(async () => (await import('./dialog-panel.tsx')).DialogPanel)

interface DialogProps extends DialogPanelProps {
  isOpen: boolean
  /** False if the address of the page already says that the dialog is open. */
  closesOnBack?: boolean
}

/** Fetches the dialog's code ahead, on intent. */
export const preloadDialog = DialogPanel.preload

/**
 * A modal dialog; on a phone a sheet of full height. Escape, the back button, a press outside and
 * the close button close it. Its code is fetched when the first dialog opens.
 */
export function Dialog({ isOpen, closesOnBack = true, ...panel }: DialogProps) {
  useBackToClose(isOpen && closesOnBack, panel.onClose)
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogPanel {...panel} />
    </Suspense>
  )
}

/**
 * Lets the browser's back button close what is open, as people on phones expect of a dialog: an
 * entry is put on the history while it is open and taken off when it is closed another way.
 */
function useBackToClose(isOpen: boolean, onClose: () => void) {
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
