import { useEffect, useState, useSyncExternalStore } from 'react'
import { X } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText } from '#web/ui/style/tone.tsx'
import { toastStore, type ToastEntry } from './toast-store.ts'

/** Specification section 9. */
const SHOWN_MS = 4000
const FADE_OUT_MS = 500

/** Where toasts appear. Use it once in the page, outside everything that a dialog can hide. */
export function Toaster() {
  const entries = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  const { ui } = useMessages()
  return (
    <div
      role="region"
      aria-label={ui.notifications}
      data-react-aria-top-layer="true"
      className="pointer-events-none fixed inset-x-0 bottom-(--bottom-bar,0) z-50 flex flex-col items-center gap-2 p-4 print:hidden"
    >
      {entries.map((entry) => (
        <Toast key={entry.id} entry={entry} />
      ))}
    </div>
  )
}

/** The timer stops while the pointer or the focus is on it. */
function Toast({ entry }: { entry: ToastEntry }) {
  const [isHeld, setHeld] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const { ui } = useMessages()
  useEffect(() => {
    if (isHeld || isLeaving) return
    const timer = setTimeout(() => setLeaving(true), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isLeaving])
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => toastStore.remove(entry.id), FADE_OUT_MS)
    return () => clearTimeout(timer)
  }, [isLeaving, entry.id])
  return (
    <div
      role={entry.tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        'pointer-events-auto flex w-full animate-rise items-center gap-3 rounded-card sm:w-auto sm:max-w-md',
        'border border-hairline bg-raised pl-4 transition-opacity duration-500',
        isLeaving && 'opacity-0',
      )}
    >
      <span className={toneText[entry.tone]}>{toneIcon(entry.tone, 20)}</span>
      <p className="min-w-0 flex-1 py-3 text-14 break-words">{entry.message}</p>
      <button
        type="button"
        aria-label={ui.dismiss}
        onClick={() => setLeaving(true)}
        className="flex size-11 shrink-0 items-center justify-center rounded-control text-quiet hover:text-ink"
      >
        <X size={16} />
      </button>
    </div>
  )
}
