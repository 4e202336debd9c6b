import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { Route, Routes, StaticRouter } from 'react-router'
import type { PageSeed, RenderPage } from '#contract/page-seed.ts'
import { Layout } from '#web/app/layout.tsx'
import { NoScript } from '#web/app/no-script.tsx'
import { createQueryClient } from '#web/app/query-client.ts'
import { type AppRoute, loadPage, notFoundRoute, routes } from '#web/app/routes.tsx'
import { en } from '#web/messages/en.ts'
import { staticPage } from '#web/messages/en/static-page.ts'
import { SessionProvider } from '#web/session/session-context.tsx'
import { createSession } from '#web/session/session.ts'

/** The pages that can be read without scripts, and the one for a wrong address. */
const openTitles: readonly AppRoute['title'][] = ['info', 'terms', 'privacyPolicy', 'notFound']
const openRoutes = routes.filter(({ title }) => openTitles.includes(title))

await Promise.all(openRoutes.map(({ path }) => loadPage(path)))

/** Renders a page as a visitor sees it at first; the server calls it, with nothing of a browser. */
export const renderPage: RenderPage = (path, seed) => {
  const route = routes.find((known) => known.path === path) ?? notFoundRoute
  const { name, symbol } = seed.project
  const { layout } = en
  return {
    title: layout.pageTitle(layout.pages[route.title], layout.siteTitle(name)),
    description: describerOf(route.title)(name, symbol),
    html: renderHtml(path ?? '/', route, seed),
  }
}

function describerOf(title: AppRoute['title']) {
  const { dashboard, ...others } = staticPage.descriptions
  return Object.hasOwn(others, title) ? others[title as keyof typeof others] : dashboard
}

function renderHtml(address: string, route: AppRoute, seed: PageSeed): string {
  const { Screen } = route
  return renderToStaticMarkup(
    <StrictMode>
      <SessionProvider session={visitorSession()}>
        <QueryClientProvider client={createQueryClient(seed)}>
          <StaticRouter location={address}>
            {openRoutes.includes(route) ? (
              <Routes>
                <Route element={<Layout />}>
                  <Route path="*" element={<Screen />} />
                </Route>
              </Routes>
            ) : (
              <NoScript />
            )}
          </StaticRouter>
        </QueryClientProvider>
      </SessionProvider>
    </StrictMode>,
  )
}

/** Nobody is logged in, and nothing is kept. */
function visitorSession() {
  return createSession({
    storage: {
      read: () => ({ status: 'logged-out', by: 'nobody', dismissedBanners: [] }),
      write: () => undefined,
      watch: () => () => undefined,
    },
    nowMs: () => 0,
    pause: () => Promise.resolve(),
    exclusively: (task) => task(),
  })
}
