import type { ReactNode } from 'react'

/** A name, and below it what is too long to stand beside it. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-14 text-quiet">{label}</span>
      {children}
    </div>
  )
}
