import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
  /** What to do about it, such as a link to the first purchase. */
  action?: ReactNode
}

/** What stands where nothing is yet: what that means, and a way on. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      {icon !== undefined && <span className="text-quiet">{icon}</span>}
      <p className="font-strong">{title}</p>
      {children !== undefined && <div className="max-w-prose text-quiet">{children}</div>}
      {action}
    </div>
  )
}
