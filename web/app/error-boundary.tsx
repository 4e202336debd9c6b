import { Component, useEffect, type ReactNode } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

interface ErrorBoundaryProps {
  children: ReactNode
}

/** Shows an error and a way to continue in place of the part that failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

/** Without a network the code of a page cannot be fetched; then it is tried again with one. */
function Broken() {
  const { layout } = useMessages()
  const isOffline = !navigator.onLine
  useEffect(() => {
    if (!isOffline) return
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [isOffline])
  return (
    <ErrorState
      title={isOffline ? layout.offlineTitle : layout.brokenTitle}
      onRetry={() => (navigator.onLine ? reload() : toast.error(layout.offlineTitle))}
    >
      {isOffline ? layout.offlineText : layout.brokenText}
    </ErrorState>
  )
}

function reload() {
  window.location.reload()
}
