import type { ReactNode } from 'react'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

interface CopiedProps {
  label: string
  value: string
}

/** An address or a root to copy, in groups of four, as people compare it. */
export function CopiedAddress({ label, value }: CopiedProps) {
  return (
    <CopyField label={label} value={value}>
      <AddressText value={value} />
    </CopyField>
  )
}

interface CopiedHashProps extends CopiedProps {
  /** At the right of the label. */
  aside?: ReactNode
}

/** A hash to copy, which nobody reads. */
export function CopiedHash({ value, ...rest }: CopiedHashProps) {
  return (
    <CopyField value={value} {...rest}>
      <span className="font-mono text-12 break-all">{value}</span>
    </CopyField>
  )
}
