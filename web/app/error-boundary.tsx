import { Component, useEffect, useRef, type ReactNode } from 'react'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { buttonStyle } from '#web/ui/actions/button-style.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { DeadEnd } from '#web/ui/feedback/dead-end.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
}

interface ErrorBoundaryState {
  /** Names this failure between who saw it and who reads the console; null while all is well. */
  number: string | null
}

/** Shows an error and a way to continue in place of the part that failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { number: null }

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { number: randomNumber() }
  }

  /** React has written the error itself to the console; this is the number that leads to it. */
  override componentDidCatch(error: unknown) {
    if (!navigator.onLine) return
    reportError(new Error(`Broken page ${this.state.number}`, { cause: error }))
  }

  override render() {
    const { number } = this.state
    return number === null ? this.props.children : <Broken number={number} />
  }
}

/** Without a network the code of a page cannot be fetched; then it is tried again with one. */
function Broken({ number }: { number: string }) {
  const { layout, ui } = useMessages()
  const isOffline = !navigator.onLine
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (!isOffline) return
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [isOffline])
  return (
    <DeadEnd
      drawing="failure"
      heading={
        <h1 ref={heading} tabIndex={-1} className="text-39 sm:text-61">
          {isOffline ? layout.offlineTitle : layout.brokenTitle}
        </h1>
      }
      actions={
        <>
          <Button onClick={() => (navigator.onLine ? reload() : toast.error(layout.offlineTitle))}>
            {ui.tryAgain}
          </Button>
          {!isOffline && (
            <a href={paths.dashboard} className={buttonStyle('secondary', 'medium', false)}>
              {layout.brokenAction}
            </a>
          )}
        </>
      }
    >
      <p>{isOffline ? layout.offlineText : layout.brokenText}</p>
      {!isOffline && <p className="tabular">{layout.brokenNumber(number)}</p>}
    </DeadEnd>
  )
}

/** Short enough to be told by telephone. */
function randomNumber(): string {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return String(value % 1_000_000).padStart(6, '0')
}

function reload() {
  window.location.reload()
}
