import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { DialogPanelProps } from './dialog-panel.tsx'

const DialogPanel = lazyComponent(() => import('./dialog-panel.tsx'), 'DialogPanel')

interface DialogProps extends DialogPanelProps {
  isOpen: boolean
}

/** Fetches the dialog's code in advance, on intent. */
export const { preload: preloadDialog, load: loadDialog } = DialogPanel

/**
 * A modal dialog; on a phone a sheet of full height. Escape, the back button, a press outside and
 * the close button close it. Its code is fetched when the first dialog opens.
 */
export function Dialog({ isOpen, ...panel }: DialogProps) {
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogPanel {...panel} />
    </Suspense>
  )
}
