import type { ReactNode } from 'react'
import { Button } from '#web/ui/actions.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

interface ShownOnceProps {
  /** What it is: 'Signing secret'. */
  label: string
  secret: string
  /** What to do with it. */
  children: ReactNode
  onClose: () => void
}

/** A secret that nobody can show again, and buttons to save it. */
export function ShownOnce({ label, secret, children, onClose }: ShownOnceProps) {
  return (
    <>
      <p role="status">
        <strong className="font-strong">Copy it now: it is not shown again.</strong> {children}
      </p>
      <CopyField label={label} value={secret}>
        <code className="text-14 wrap-anywhere">{secret}</code>
      </CopyField>
      <Button onClick={onClose} className="self-end">
        I have saved it
      </Button>
    </>
  )
}
