import { Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useProject } from '#web/features/project/queries.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { useMessages } from '#web/messages/en.ts'
import { EarlyInput } from './early-input.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guard } from './guards.tsx'
import { Layout } from './layout.tsx'
import { PageWaiting } from './page-waiting.tsx'
import { routes, type AppRoute } from './routes.tsx'

/**
 * The pages within the layout. Moving on keeps the old page in sight until the new one is there.
 */
export function Pages() {
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

/** Within the guard, so that a page that sends somebody away never lends its title. */
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
