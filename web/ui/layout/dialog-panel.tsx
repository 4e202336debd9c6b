import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { X } from 'lucide-react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useMessages } from '#web/messages/use-messages.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

export interface DialogPanelProps {
  title: string
  onClose: () => void
  /** At the right of the title, or below it if there is no room, such as a status chip. */
  aside?: ReactNode
  size?: 'narrow' | 'wide'
  /** True while it shows what is shown only once: nothing but a button within it closes it. */
  isHeld?: boolean
  /** False if the address of the page already says that the dialog is open. */
  closesOnBack?: boolean
  children: ReactNode
}

/** So long after a press, a second one may still belong to the same double click. */
const DOUBLE_CLICK_MS = 500

/** The dialog itself; use `Dialog`, which fetches this when one opens. */
export function DialogPanel(props: DialogPanelProps) {
  const { title, onClose, aside, size = 'narrow', children } = props
  const { isHeld = false, closesOnBack = true } = props
  useBackToClose(closesOnBack, isHeld ? null : onClose)
  useEffect(() => dropSecondClick, [])
  const { ui } = useMessages()
  const [openedAt] = useState(() => performance.now())
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isHeld}
      isKeyboardDismissDisabled={isHeld}
      shouldCloseOnInteractOutside={() => performance.now() - openedAt > DOUBLE_CLICK_MS}
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
            {!isHeld && (
              <IconButton
                label={ui.close}
                icon={<X size={20} />}
                onClick={onClose}
                className="print:hidden"
              />
            )}
          </div>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 max-sm:pb-20 sm:p-6 print:overflow-visible print:p-0">
            {children}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/**
 * Once a dialog has closed, the second click of the double click that closed it falls on whatever
 * was behind it, such as another amount, and is dropped.
 */
function dropSecondClick() {
  const closedAt = performance.now()
  function drop(event: MouseEvent) {
    const isSecond = event.detail > 1
    if (isSecond) {
      event.preventDefault()
      event.stopPropagation()
    }
    // The first may come only now: some buttons act before their click.
    if (isSecond || event.timeStamp > closedAt + DOUBLE_CLICK_MS) {
      window.removeEventListener('click', drop, true)
    }
  }
  window.addEventListener('click', drop, true)
}

/** The dialogs that are open now, by their ids. */
const openDialogs = new Set<unknown>()

/**
 * Lets the browser's back button close it, as people expect of a dialog on a phone: a history entry
 * is added while it is open and removed when it is closed in another way. A dialog that opens in
 * place of another one takes over its entry: going back would close the new one. If there is no way
 * to close it, the entry is added again.
 */
function useBackToClose(isWanted: boolean, onClose: (() => void) | null) {
  const id = useId()
  const leave = useEffectEvent((entry: object) => {
    if (onClose === null) window.history.pushState(entry, '')
    else onClose()
  })
  useEffect(() => {
    if (!isWanted) return
    const isOnTop = () => window.history.state?.openDialog === id
    function closeWhenLeft() {
      if (!isOnTop()) leave({ ...window.history.state, openDialog: id })
    }
    openDialogs.add(id)
    // Deferred, because React mounts effects twice in development and going back is not immediate.
    const timer = setTimeout(() => {
      const top: unknown = window.history.state?.openDialog
      const entry = { ...window.history.state, openDialog: id }
      if (top === undefined || openDialogs.has(top)) window.history.pushState(entry, '')
      else window.history.replaceState(entry, '')
      window.addEventListener('popstate', closeWhenLeft)
    })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', closeWhenLeft)
      openDialogs.delete(id)
      // Deferred too: if a link in it has led to another page, the entry is already behind. Twice,
      // so that a dialog in its place comes first.
      setTimeout(() => setTimeout(() => isOnTop() && goBack()))
    }
  }, [isWanted, id])
}

/** Links are held no longer than this, should the browser not make the step. */
const STEP_MAX_MS = 1000

/**
 * Goes a step back in the browser's history. That takes a moment, and would undo what is followed
 * in that moment: a link that is pressed meanwhile is followed once the step is made.
 */
function goBack() {
  let pressed: HTMLElement | undefined
  function hold(event: MouseEvent) {
    const link = (event.target as Element).closest('a')
    if (link === null || staysHere(event, link)) return
    event.preventDefault()
    event.stopPropagation()
    pressed = link
  }
  function release() {
    clearTimeout(timer)
    window.removeEventListener('click', hold, true)
    window.removeEventListener('popstate', release)
    pressed?.click()
  }
  window.addEventListener('click', hold, true)
  window.addEventListener('popstate', release)
  const timer = setTimeout(release, STEP_MAX_MS)
  window.history.back()
}

/** Whether this tab keeps its page when the link is pressed: it opens another tab, or a file. */
function staysHere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
  return hasModifier || link.target === '_blank' || link.hasAttribute('download')
}
