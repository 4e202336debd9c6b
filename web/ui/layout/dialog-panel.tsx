import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useMessages } from '#web/messages/use-messages.ts'
import { IconButton } from '#web/ui/actions/icon-button.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

export interface DialogPanelProps {
  title: string
  onClose: () => void
  /** At the right of the title, or below it if there is no room, such as a status chip. */
  aside?: ReactNode
  size?: 'narrow' | 'wide'
  children: ReactNode
}

/** The dialog itself; use `Dialog`, which fetches this when one opens. */
export function DialogPanel(props: DialogPanelProps) {
  const { title, onClose, aside, size = 'narrow', children } = props
  const { ui } = useMessages()
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      data-backdrop
      className="fixed inset-0 z-40 flex animate-appear items-stretch justify-center bg-backdrop sm:items-center sm:p-6 print:static print:block print:p-0"
    >
      <Modal
        className={classNames(
          'flex w-full animate-rise bg-surface sm:max-h-full sm:rounded-card sm:border',
          'sm:border-hairline print:max-h-none print:max-w-none print:border-0',
          size === 'wide' ? 'sm:max-w-3xl' : 'sm:max-w-lg',
        )}
      >
        <Dialog className="flex min-h-0 w-full flex-col outline-none">
          <div className="flex items-center gap-3 border-b border-hairline py-2 pr-2 pl-4 sm:pl-6">
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 py-1">
              <Heading slot="title" className="text-20 font-strong">
                {title}
              </Heading>
              {aside}
            </div>
            <IconButton
              label={ui.close}
              icon={<X size={20} />}
              onClick={onClose}
              className="print:hidden"
            />
          </div>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 max-sm:pb-20 sm:p-6 print:overflow-visible print:p-0">
            {children}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
