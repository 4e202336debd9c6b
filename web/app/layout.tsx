import { useEffect } from 'react'
import { Outlet, useLocation, useNavigationType } from 'react-router'
import { useMessages } from '#web/messages/en.ts'
import { useUser } from '#web/session/session-context.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import { Sidebar } from './sidebar.tsx'

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
        {isLoggedIn && <Sidebar />}
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

/** Each new page starts at its top; going back leaves the place to the browser. */
function useScrollToTop() {
  const { pathname } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  useEffect(() => {
    if (!isReturn) window.scrollTo(0, 0)
  }, [pathname, isReturn])
}
