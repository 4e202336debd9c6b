import { useQuery } from '@tanstack/react-query'
import { LogOut, Menu, Palette, X } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Link, Outlet, useLocation, NavLink, useNavigationType } from 'react-router'
import { navigation } from '#console/screens.ts'
import { projectQuery } from '#console/session/project.ts'
import { useSelf, useSignOut } from '#console/session/self.ts'
import { messageOf } from '#web/lib/api/call.ts'
import { useTheme } from '#web/lib/theme.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { ScreenWaiting } from './screen-waiting.tsx'

const MENU_ID = 'sections'

/** The frame of every screen: the sections, who is signed in, and the screen itself. */
export function Shell() {
  useScrollToTop()
  useTitle()
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-accent px-4 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <TopBar />
      <div className="mx-auto flex max-w-[1600px] gap-8 px-4 sm:px-6">
        <aside className="sticky top-16 hidden h-[calc(100dvh-4rem)] w-52 shrink-0 overflow-y-auto py-6 lg:block print:hidden">
          <Navigation />
        </aside>
        <main id="content" className="flex min-w-0 flex-1 flex-col gap-6 py-6 lg:py-8">
          <Suspense fallback={<ScreenWaiting />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </div>
  )
}

/** Each new screen starts at its top; on going back, the browser restores the position. */
function useScrollToTop() {
  const { pathname } = useLocation()
  const kind = useNavigationType()
  // A screen that only changes what stands in its address stays where it is.
  const begin = useEffectEvent(() => {
    if (kind !== 'POP') window.scrollTo(0, 0)
  })
  useEffect(() => begin(), [pathname])
}

/** The tab is named for its section, so that one of several is found. */
function useTitle() {
  const { pathname } = useLocation()
  useEffect(() => {
    const section = Object.values(navigation)
      .flat()
      .find(([path]) => pathname === path || pathname.startsWith(`${path}/`))
    document.title = section === undefined ? 'Console' : `${section[1]} · Console`
  }, [pathname])
}

function TopBar() {
  const { pathname } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  const { theme, switchTheme } = useTheme()
  const { name, role } = useSelf()
  return (
    <header className="sticky top-0 z-30 border-b border-hairline bg-ground print:hidden">
      <div className="mx-auto flex min-h-16 max-w-[1600px] items-center gap-2 px-4 sm:px-6">
        <Brand />
        <Link
          to="/me"
          className="flex min-h-11 shrink-0 flex-col items-end justify-center rounded-control px-2 text-right hover:bg-raised"
        >
          <span className="max-w-28 truncate sm:max-w-40 text-14 font-medium">{name}</span>
          <span className="text-12 text-quiet">{role}</span>
        </Link>
        <div className="-mr-3 flex">
          <IconButton
            label={theme === 'dark' ? 'Change to the blue theme' : 'Change to the dark theme'}
            icon={<Palette size="1.25em" />}
            onClick={switchTheme}
          />
          <SignOutButton />
          <IconButton
            label={isOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isOpen}
            aria-controls={MENU_ID}
            icon={isOpen ? <X size="1.25em" /> : <Menu size="1.25em" />}
            onClick={() => setOpenAt(isOpen ? null : pathname)}
            className="lg:hidden"
          />
        </div>
      </div>
      <div
        id={MENU_ID}
        hidden={!isOpen}
        className="max-h-[calc(100dvh-4rem)] overflow-y-auto border-t border-hairline p-4 lg:hidden"
      >
        {isOpen && <Navigation onFollow={() => setOpenAt(null)} />}
      </div>
    </header>
  )
}

/** Whose sale it is, so that nobody works in the wrong console. */
function Brand() {
  const { data: project } = useQuery(projectQuery)
  return (
    <Link
      to="/"
      className="mr-auto flex min-h-11 min-w-0 items-baseline gap-2 rounded-control py-2"
    >
      {project !== undefined && (
        <span className="truncate text-16 font-strong sm:text-20">{project.name}</span>
      )}
      <span className="text-14 text-quiet max-sm:sr-only">Console</span>
    </Link>
  )
}

function SignOutButton() {
  const signOut = useSignOut()
  const leave = () =>
    signOut().catch((error: unknown) =>
      toast.error(messageOf(error, 'You are still signed in: the server did not answer.')),
    )
  return (
    <IconButton label="Sign out" icon={<LogOut size="1.25em" />} onClick={() => void leave()} />
  )
}

// Lower for a mouse, so that all sections fit on a laptop's screen.
const look =
  'flex min-h-11 w-full min-w-0 items-center gap-3 rounded-control px-3 text-left font-medium ' +
  'transition-colors lg:pointer-fine:min-h-9'
const rest = 'text-quiet hover:bg-surface hover:text-ink'

/** The sections that the person may see, by group. */
function Navigation({ onFollow }: { onFollow?: () => void }) {
  const { permissions } = useSelf()
  const groups = Object.entries(navigation)
    .map(([group, entries]) => ({
      group,
      entries: entries.filter(([, , permission]) => permissions.includes(permission)),
    }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <nav aria-label="Sections" className="flex flex-col gap-5 lg:gap-4">
      {groups.map(({ group, entries }) => (
        <div key={group} className="flex flex-col gap-1">
          <p className="px-3 text-12 font-strong tracking-wide text-quiet">{group}</p>
          {entries.map(([path, label, , Icon]) => (
            <NavLink
              key={path}
              to={path}
              end={path === '/'}
              onClick={onFollow}
              className={({ isActive }) =>
                classNames(look, isActive ? 'bg-raised text-ink [&>svg]:text-accent' : rest)
              }
            >
              <Icon size="1.25em" />
              {label}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  )
}
