import type { ComponentType, ReactNode } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#web/session/session.ts'
import { Toaster } from '#web/ui/feedback/toaster.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Pages } from './pages.tsx'
import { Providers } from './providers.tsx'

interface AppProps {
  session: Session
  queryClient: QueryClient
  /** What knows the address: the browser's, or the one that the server renders. */
  Router: ComponentType<{ children: ReactNode }>
}

/** The whole page. The server renders it, too, so it uses nothing of a browser at first. */
export function App({ session, queryClient, Router }: AppProps) {
  return (
    <ErrorBoundary>
      <Providers session={session} queryClient={queryClient}>
        <Router>
          <Pages />
        </Router>
      </Providers>
      <Toaster />
    </ErrorBoundary>
  )
}
