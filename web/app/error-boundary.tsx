import { Component, useEffect, useRef, type ReactNode } from 'react'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { PlainLink } from '#web/ui/actions.tsx'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

interface ErrorBoundaryProps {
  children: ReactNode
}

interface ErrorBoundaryState {
  /**
   * Identifies this failure both to the person who saw it and in the console; null while all is
   * well.
   */
  number: string | null
}

/** Shows an error and a way to continue in place of the part that failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { number: null }

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { number: randomNumber() }
  }

  /**
   * React has written the error itself to the console; this is the number with which to find it.
   */
  override componentDidCatch(error: unknown) {
    if (!navigator.onLine) return
    reportError(new Error(`Broken page ${this.state.number}`, { cause: error }))
  }

  override render() {
    const { number } = this.state
    return number === null ? this.props.children : <Broken number={number} />
  }
}

/** Without a network a page's code cannot be fetched; it is tried again once there is one. */
function Broken({ number }: { number: string }) {
  const { layout } = useMessages()
  const isOffline = !navigator.onLine
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    if (!isOffline) return
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [isOffline])
  return (
    <ErrorState
      title={
        <h1 ref={heading} tabIndex={-1} className="text-39 sm:text-61">
          {isOffline ? layout.offlineTitle : layout.brokenTitle}
        </h1>
      }
      query={{ refetch: () => (navigator.onLine ? reload() : toast.error(layout.offlineTitle)) }}
    >
      {isOffline ? (
        layout.offlineText
      ) : (
        <>
          <p>{layout.brokenText}</p>
          <p>{layout.brokenNumber(number)}</p>
          <PlainLink href={paths.dashboard}>{layout.notFoundAction}</PlainLink>
        </>
      )}
    </ErrorState>
  )
}

/** Short enough to be said over the telephone. */
function randomNumber(): string {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return String(value % 1_000_000).padStart(6, '0')
}

function reload() {
  window.location.reload()
}
