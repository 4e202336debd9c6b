import type { ReactNode } from 'react'
import { TextLink } from '#web/ui/actions/links.tsx'

interface LinkedProps {
  to: string
  label: string
  children: ReactNode
}

/** A state with the way to what it depends on. */
export function Linked({ to, label, children }: LinkedProps) {
  return (
    <span className="flex flex-col items-start gap-1 max-md:items-end">
      {children}
      <TextLink to={to}>{label}</TextLink>
    </span>
  )
}
