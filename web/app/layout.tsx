import { Suspense, useEffect } from 'react'
import { Outlet, useLocation, useNavigationType } from 'react-router'
import { FlaskConical } from 'lucide-react'
import { BannerList } from '#web/features/banner/banner-list.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { useSaleStatus } from '#web/features/stage/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** Visitors have none. */
export const Sidebar = lazyComponent(() => import('./logged-in.ts'), 'Sidebar')

const CONTENT_ID = 'content'

/** The frame around every page. */
export function Layout() {
  const { layout } = useMessages()
  const isLoggedIn = useUser() !== null
  useScrollToTop()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {layout.skipToContent}
      </a>
      <Header />
      <div
        className={classNames(
          'mx-auto w-full max-w-[1280px] flex-1 px-4 sm:px-6',
          isLoggedIn && 'lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10 print:block',
        )}
      >
        {isLoggedIn && (
          <Suspense fallback={<div className="max-lg:hidden" />}>
            <Sidebar />
          </Suspense>
        )}
        <div className="flex min-h-[calc(100dvh-4rem)] min-w-0 flex-col">
          <Notices />
          <main id={CONTENT_ID} tabIndex={-1} className="flex-1 py-8">
            <Outlet />
          </main>
        </div>
      </div>
      <Footer />
    </div>
  )
}

/** Each new page starts at its top; on going back, the browser restores the position. */
function useScrollToTop() {
  const { pathname } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  useEffect(() => {
    if (!isReturn) window.scrollTo(0, 0)
  }, [pathname, isReturn])
}

/** Shown on every page: that this is a sandbox, and beside it the newest banner of the sale. */
function Notices() {
  const { layout } = useMessages()
  const project = useProject()
  return (
    <div
      role="region"
      aria-label={layout.notices}
      className="flex flex-wrap items-start gap-x-4 gap-y-1 pt-3 empty:hidden print:hidden"
    >
      {project?.is_sandbox === true && <SandboxNotice />}
      <BannerList
        pathname={useLocation().pathname}
        saleStatus={useSaleStatus()}
        saleText={useSaleText(project)}
        // If there is too little room beside the sandbox's line, it takes the next line.
        className="min-w-0 flex-[1_1_30rem]"
      />
    </div>
  )
}

/**
 * Short, since it is on every page and cannot be dismissed: on a phone it fits on one line even in
 * the fallback font.
 */
function SandboxNotice() {
  const { layout } = useMessages()
  return (
    <p title={layout.sandboxDetails} className="flex min-h-7 items-center text-12 sm:min-h-10">
      <span>
        <span className="text-warning">
          <FlaskConical size="1.125em" className="mr-1.5 hidden align-[-0.2em] sm:inline" />
          {layout.sandboxNotice}
        </span>{' '}
        <TextLink
          to={paths.sandbox}
          target="_blank"
          className="relative inline-block after:absolute after:-inset-x-2 after:-inset-y-3"
        >
          {layout.sandboxLink}
        </TextLink>
      </span>
    </p>
  )
}
