import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { DialogPanelProps } from './dialog-panel.tsx'
import { useBackToClose } from './use-back-to-close.ts'

const DialogPanel = lazyComponent(async () => (await import('./dialog-panel.tsx')).DialogPanel)

interface DialogProps extends DialogPanelProps {
  isOpen: boolean
  /** False where the address of the page already says that the dialog is open. */
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
