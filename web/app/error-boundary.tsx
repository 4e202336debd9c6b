import { Component, type ReactNode } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
}

/** Shows that a part broke, and a way on, in the place of what broke. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const { layout } = useMessages()
  return (
    <ErrorState title={layout.brokenTitle} onRetry={() => window.location.reload()}>
      {layout.brokenText}
    </ErrorState>
  )
}
