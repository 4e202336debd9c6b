import type { ReactNode } from 'react'

interface OptionTextProps {
  icon?: ReactNode
  label: string
}

/** An option of a list, in the list and when chosen. */
export function OptionText({ icon, label }: OptionTextProps) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      {icon}
      <span className="truncate">{label}</span>
    </span>
  )
}
