import { useState, type ReactNode } from 'react'
import { Check, Copy } from 'lucide-react'
import { copyText } from '#web/lib/copy-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'

interface CopyFieldProps {
  label: string
  /** What is copied. */
  value: string
  /** At the right of the label. */
  aside?: ReactNode
  /** How it is shown, such as an `AddressText`; the value itself if left out. */
  children?: ReactNode
}

const ANSWER_MS = 2000

/** A value with its label, copied with one tap anywhere on it, with visible feedback. */
export function CopyField({ label, value, aside, children }: CopyFieldProps) {
  const [isCopied, setCopied] = useState(false)
  const { ui } = useMessages()
  async function copy() {
    try {
      await copyText(value)
      setCopied(true)
      setTimeout(() => setCopied(false), ANSWER_MS)
      toast.success(ui.copied)
    } catch {
      toast.error(ui.notCopied)
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="flex flex-wrap justify-between gap-x-4 text-14 text-quiet">
        <span>{label}</span>
        {aside}
      </span>
      <button
        type="button"
        data-copy-value={value}
        onClick={() => void copy()}
        className="flex min-h-11 w-full items-center gap-3 rounded-control border border-hairline bg-raised px-3 py-2 text-left transition-colors hover:border-edge"
      >
        <span className="sr-only">{ui.copy(label)}</span>
        <span className="min-w-0 flex-1 break-words">{children ?? value}</span>
        {isCopied ? (
          <Check size={20} className="shrink-0 text-success" />
        ) : (
          <Copy size={20} className="shrink-0 text-quiet" />
        )}
      </button>
    </div>
  )
}
