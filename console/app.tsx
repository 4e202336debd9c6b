import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState, type ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { SignedIn } from '#console/session/signed-in.tsx'
import { ScreenWaiting } from '#console/shell/screen-waiting.tsx'
import { Shell } from '#console/shell/shell.tsx'
import { isWorthRetrying } from '#web/lib/api/call.ts'
import { Toaster } from '#web/ui/feedback/toaster.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { openScreens, screens } from './screens.ts'

const STALE_MS = 15_000

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: isWorthRetrying, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })

const routesOf = (byPath: Record<string, ComponentType<object>>) =>
  Object.entries(byPath).map(([path, Screen]) => (
    <Route key={path} path={path} element={<Screen />} />
  ))

/**
 * The console: the pages that are open to anybody, and behind the sign-in one screen for each noun.
 */
export function App() {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<ScreenWaiting isAlone />}>
        <Routes>
          {routesOf(openScreens)}
          <Route
            element={
              <SignedIn>
                <Shell />
              </SignedIn>
            }
          >
            {routesOf(screens)}
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
      <Toaster />
    </QueryClientProvider>
  )
}

export function NotFound() {
  return (
    <>
      <PageHeading>There is nothing here</PageHeading>
      <p className="text-quiet">The console has no page at this address. Choose a section.</p>
    </>
  )
}
