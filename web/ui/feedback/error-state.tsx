import type { ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { useMessages } from '#web/messages/en.ts'
import { Button } from '#web/ui/actions/button.tsx'

interface ErrorStateProps {
  title: string
  children?: ReactNode
  onRetry?: () => void
  isRetrying?: boolean
}

/** Something could not be loaded: what, and a way to try again. */
export function ErrorState({ title, children, onRetry, isRetrying = false }: ErrorStateProps) {
  const { ui } = useMessages()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <CircleAlert size={24} aria-hidden="true" className="text-error" />
      <p className="font-strong">{title}</p>
      {children !== undefined && <div className="max-w-prose text-quiet">{children}</div>}
      {onRetry !== undefined && (
        <Button variant="secondary" onClick={onRetry} isBusy={isRetrying}>
          {ui.tryAgain}
        </Button>
      )}
    </div>
  )
}
