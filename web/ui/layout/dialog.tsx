import { Suspense, useEffect, useEffectEvent, useId } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { DialogPanelProps } from './dialog-panel.tsx'

const DialogPanel = lazyComponent(async () => (await import('./dialog-panel.tsx')).DialogPanel)

interface DialogProps extends DialogPanelProps {
  isOpen: boolean
  /** False if the address of the page already says that the dialog is open. */
  closesOnBack?: boolean
}

/** Fetches the dialog's code in advance, on intent. */
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
 * Lets the browser's back button close it, as people expect of a dialog on a phone: a history entry
 * is added while it is open and removed when it is closed in another way.
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
    // Deferred, because React mounts effects twice in development and going back is not immediate.
    const timer = setTimeout(() => {
      window.history.pushState({ ...window.history.state, openDialog: id }, '')
      window.addEventListener('popstate', closeWhenLeft)
    })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', closeWhenLeft)
      // Deferred too: if a link in it has led to another page, the entry is already behind.
      setTimeout(() => isOnTop() && window.history.back())
    }
  }, [isOpen, id])
}
