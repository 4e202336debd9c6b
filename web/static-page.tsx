import { StrictMode, type ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { StaticRouter, Link } from 'react-router'
import { FRAME_ATTRIBUTE, type PageSeed, type RenderPage } from '#contract/page-seed.ts'
import { App } from '#web/app/app.tsx'
import { Sidebar } from '#web/app/layout.tsx'
import { createQueryClient } from '#web/app/query-client.ts'
import { type AppRoute, loadPage, notFoundRoute, routes } from '#web/app/routes.tsx'
import { paths } from '#web/lib/paths.ts'
import * as german from '#web/messages/de.ts'
import { staticPage as germanPage } from '#web/messages/de/static-page.ts'
import { messages } from '#web/messages/en/messages.ts'
import { staticPage as englishPage } from '#web/messages/en/static-page.ts'
import { renderIn } from '#web/messages/language.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { ReleaseExample, SupplyChart } from '#web/screens/info.tsx'
import { SalePanel } from '#web/screens/sale-aside.tsx'
import type { SessionState } from '#web/session/session-state.ts'
import { createSession } from '#web/session/session.ts'

type StaticPage = typeof englishPage
type Title = AppRoute['title']

/** The pages that can be read without scripts, and the one for a wrong address. */
const openTitles: readonly Title[] = ['info', 'terms', 'privacyPolicy', 'notFound']

/** The forms for visitors, which are rendered before their scripts can send them. */
const formTitles: readonly Title[] = ['login', 'register', 'forgotPassword']

/** The pages whose frame shows more than that it is loading: everything independent of the user. */
const framedTitles: readonly Title[] = ['dashboard', 'buy', 'promotions']

const isRendered = ({ title }: AppRoute) => openTitles.includes(title) || formTitles.includes(title)

await Promise.all([
  SalePanel.load(),
  ReleaseExample.load(),
  SupplyChart.load(),
  Sidebar.load(),
  ...routes
    .filter((route) => isRendered(route) || framedTitles.includes(route.title))
    .map(({ path }) => loadPage(path)),
])

/** Null stands for the English texts, which are part of the code that shows them. */
const languages = {
  en: { texts: null, staticPage: englishPage, sources: [] },
  de: { texts: german, staticPage: germanPage, sources: ['messages/de.ts'] },
}

/** Placeholder in a frame for the logged-in user's address. */
const FRAME_EMAIL = '{email}'

/** No page has this address. */
const WRONG_ADDRESS = '/-'

/** Renders a page as a visitor first sees it; called by the server, so it uses no browser API. */
export const renderPage: RenderPage = (path, seed, language) => {
  const { texts, staticPage, sources } = languages[language]
  renderIn(language, texts)
  const route = routes.find((known) => known.path === path) ?? notFoundRoute
  const { name, symbol } = seed.project
  const { layout } = texts?.messages ?? messages
  const isForUsers = route.visibleTo === 'logged-in'
  return {
    title: layout.pageTitle(layout.pages[route.title], layout.siteTitle(name)),
    description: describerOf(staticPage, route.title)(name, symbol),
    sources: isRendered(route) ? [sourceOf(route.title), ...sources] : sources,
    sourcesOf: {
      user: isForUsers ? [sourceOf(route.title), ...userSources] : userSources,
      visitor: isForUsers ? [sourceOf('login')] : [],
    },
    note: openTitles.includes(route.title) ? '' : renderNote(staticPage),
    html: isRendered(route)
      ? renderHtml(path ?? WRONG_ADDRESS, seed, visitor)
      : isForUsers
        ? renderFrame(path ?? WRONG_ADDRESS, seed)
        : '',
  }
}

/** What every page also needs if somebody is logged in. */
const userSources = ['app/logged-in.ts']

function describerOf({ descriptions }: StaticPage, title: Title) {
  const { dashboard, ...others } = descriptions
  return Object.hasOwn(others, title) ? others[title as keyof typeof others] : dashboard
}

function sourceOf(title: Title): string {
  return `screens/${title.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`
}

function renderNote({ noScriptTitle, noScriptText }: StaticPage): string {
  return renderToStaticMarkup(
    <StaticRouter location={WRONG_ADDRESS}>
      <NoScript title={noScriptTitle} text={noScriptText} />
    </StaticRouter>,
  )
}

/** The same tree as in `main.tsx`, with the markers with which it is hydrated there. */
function renderHtml(address: string, seed: PageSeed, state: SessionState): string {
  const Router = ({ children }: { children: ReactNode }) => (
    <StaticRouter location={address}>{children}</StaticRouter>
  )
  return renderToString(
    <StrictMode>
      <App session={sessionIn(state)} queryClient={createQueryClient(seed)} Router={Router} />
    </StrictMode>,
  )
}

/** A page for a logged-in user; `before-paint.js` fills in what the device knows about them. */
function renderFrame(address: string, seed: PageSeed): string {
  // Styles of single elements are set by script: the content security policy forbids them in a
  // page.
  const html = renderHtml(address, seed, someUser).replaceAll(' style="', ' data-style="')
  return `<div ${FRAME_ATTRIBUTE} class="hidden session-kept:contents">${html}</div>`
}

const visitor: SessionState = { status: 'logged-out', by: 'nobody', dismissedBanners: [] }

const someUser: SessionState = {
  status: 'logged-in',
  user: {
    id: '',
    first_name: '',
    last_name: '',
    nationality: '',
    mobile: null,
    email: FRAME_EMAIL,
    is_email_verified: false,
    signup_date: '',
    tokens: { base: 0, bonuses: 0, total: 0 },
    paid_amount_fiat: 0,
    language: 'en',
  },
  tokens: { access: null, refresh: { token: '', expires: '' } },
  obstacle: null,
  landing: null,
  dismissedBanners: [],
}

/** Does not store anything. */
function sessionIn(state: SessionState) {
  return createSession({
    storage: { read: () => state, write: () => undefined, watch: () => () => undefined },
    nowMs: () => 0,
    pause: () => Promise.resolve(),
    exclusively: (task) => task(),
  })
}

/** The notice above every page that needs scripts, shown if they are turned off. */
function NoScript({ title, text }: { title: string; text: string }) {
  const { layout } = useMessages()
  return (
    <noscript>
      <section className="border-b border-hairline">
        <div className="mx-auto flex max-w-[1280px] flex-col gap-2 px-4 py-6 sm:px-6">
          <h2 className="text-20">{title}</h2>
          <p className="max-w-[65ch] text-quiet">{text}</p>
          <ul className="flex flex-wrap gap-x-6">
            {(['info', 'terms', 'privacyPolicy'] as const).map((page) => (
              <li key={page}>
                <Link to={paths[page]} className="inline-block py-2.5 underline underline-offset-4">
                  {layout.pages[page]}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </noscript>
  )
}
