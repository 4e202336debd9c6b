import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#web/session/session.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'
import { Router } from './router.tsx'

interface AppProps {
  session: Session
  queryClient: QueryClient
}

export function App({ session, queryClient }: AppProps) {
  return (
    <ErrorBoundary>
      <Providers session={session} queryClient={queryClient}>
        <Router />
      </Providers>
      <Toaster />
    </ErrorBoundary>
  )
}
