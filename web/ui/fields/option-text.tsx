import type { ReactNode } from 'react'

/** An option of a list, in the list and when chosen. */
export function OptionText({ icon, label }: { icon?: ReactNode; label: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      {icon}
      <span className="truncate">{label}</span>
    </span>
  )
}
