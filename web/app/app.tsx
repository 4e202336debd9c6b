import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react'
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { Route, Routes } from 'react-router'
import { useProject } from '#web/features/project/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { LiveEvents, useAskWhenOpen } from '#web/session/live-events.tsx'
import { SessionProvider, useSession, useUser } from '#web/session/session-context.tsx'
import type { Session } from '#web/session/session.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Toaster } from '#web/ui/feedback/toaster.tsx'
import { EarlyInput } from './early-input.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guard } from './guards.tsx'
import { Layout } from './layout.tsx'
import { routes, type AppRoute } from './routes.tsx'

interface AppProps {
  session: Session
  queryClient: QueryClient
  /** The router: the browser's, or the static one with which the server renders. */
  Router: ComponentType<{ children: ReactNode }>
}

/** The whole page. It is rendered on the server too, so the first render uses no browser API. */
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

export const LiveUpdates = lazyComponent(() => import('./logged-in.ts'), 'LiveUpdates')

interface ProvidersProps {
  session: Session
  queryClient: QueryClient
  children: ReactNode
}

function Providers({ session, queryClient, children }: ProvidersProps) {
  return (
    <SessionProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <LiveEvents>
          <UserData />
          <UserLiveUpdates />
          {children}
        </LiveEvents>
      </QueryClientProvider>
    </SessionProvider>
  )
}

/** Loads the user when the page opens, and clears one user's data before the next logs in. */
function UserData() {
  const session = useSession()
  const userId = useUser()?.id
  const queryClient = useQueryClient()
  useAskWhenOpen(() => void session.loadUser())
  useEffect(() => {
    if (userId === undefined) return
    return () => queryClient.removeQueries({ queryKey: ['user', userId] })
  }, [userId, queryClient])
  return null
}

/** Loaded after the page and only once a user is logged in: the login page does not need it. */
function UserLiveUpdates() {
  if (useUser() === null) return null
  return (
    <Suspense fallback={null}>
      <LiveUpdates />
    </Suspense>
  )
}

/** The pages within the layout. The old page stays in sight until the new one is ready. */
function Pages() {
  return (
    <Routes>
      <Route element={<Layout />}>
        {routes.map((route) => (
          <Route key={route.path} path={route.path} element={<Page route={route} />} />
        ))}
      </Route>
    </Routes>
  )
}

function Page({ route }: { route: AppRoute }) {
  return (
    <ErrorBoundary key={route.path}>
      <Guard visibleTo={route.visibleTo}>
        <TitledScreen route={route} />
      </Guard>
    </ErrorBoundary>
  )
}

/** Inside the guard, so that a page that redirects never sets its title. */
function TitledScreen({ route: { title, Screen } }: { route: AppRoute }) {
  const { layout } = useMessages()
  const project = useProject()
  usePageTitle(layout.pageTitle(layout.pages[title], layout.siteTitle(project?.name)))
  return (
    <Suspense fallback={<PageWaiting />}>
      <Screen />
      <EarlyInput />
    </Suspense>
  )
}

/** In the rough shape of a page, while its code is loading. */
function PageWaiting() {
  const { ui } = useMessages()
  return (
    <div role="status" className="flex animate-appear flex-col gap-6">
      <span className="sr-only">{ui.loading}</span>
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}

/** Sets the document's title, such as '{page} · {site title}' (specification section 2). */
function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title
  }, [title])
}
