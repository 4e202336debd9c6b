import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Menu, Palette, X } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { Project } from '#contract/shapes.ts'
import { useProject } from '#web/features/project/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useTheme } from '#web/lib/theme.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { buttonStyle, IconButton } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { classNames } from '#web/ui/style/class-names.ts'

const MobileMenu = lazyComponent(() => import('./mobile-menu.tsx'), 'MobileMenu')

const MENU_ID = 'mobile-menu'

const link =
  'flex min-h-11 items-center rounded-control px-1 sm:px-3 text-14 font-medium text-quiet ' +
  'transition-colors hover:text-ink'

/** The brand, the project's links, and the theme; on narrow screens a menu holds the rest. */
export function Header() {
  const { layout } = useMessages()
  const project = useProject()
  const saleText = useSaleText(project)
  const isLoggedIn = useUser() !== null
  const { theme, switchTheme } = useTheme()
  const { toggle, isMenuOpen, isMenuThere, setMenuOpen } = useMenu()
  return (
    <header className="sticky top-0 z-30 border-b border-hairline bg-ground print:hidden">
      <div className="mx-auto flex min-h-16 max-w-[1280px] flex-wrap items-center justify-end gap-x-1 px-4 sm:px-6">
        <Link
          to={isLoggedIn ? paths.dashboard : paths.info}
          aria-label={project?.name ?? layout.dashboard}
          onClick={() => isMenuOpen && setMenuOpen(false)}
          className="mr-auto flex min-h-11 min-w-0 items-center rounded-control"
        >
          {project !== undefined && <Brand project={project} />}
        </Link>
        <nav aria-label={layout.projectLinks} className="hidden items-center xl:flex">
          {Object.entries(project?.links.header ?? {}).map(([label, url]) => (
            <a key={label} href={url} target="_blank" rel="noreferrer" className={link}>
              {saleText(label)}
            </a>
          ))}
        </nav>
        <BuyNow />
        {/* The last icon itself, not the room around it, is aligned with the edge of the page. */}
        <div className="-mr-3 flex noscript:hidden">
          <IconButton
            label={layout.switchTheme(theme)}
            icon={<Palette size="1.25em" />}
            onClick={switchTheme}
            data-switches-theme
          />
          <IconButton
            ref={toggle}
            label={isMenuOpen ? layout.closeMenu : layout.openMenu}
            aria-expanded={isMenuOpen}
            aria-controls={MENU_ID}
            icon={isMenuOpen ? <X size="1.25em" /> : <Menu size="1.25em" />}
            onClick={() => setMenuOpen(!isMenuOpen)}
            onPointerEnter={MobileMenu.preload}
            onFocus={MobileMenu.preload}
            className="xl:hidden"
          />
        </div>
      </div>
      <div id={MENU_ID} hidden={!isMenuOpen} className="xl:hidden">
        {isMenuOpen && isMenuThere && <MobileMenu onLeave={() => setMenuOpen(false)} />}
      </div>
    </header>
  )
}

/** The logo, one line high; the name if the project has none. */
function Brand({ project }: { project: Project }) {
  if (project.logo_url === null) {
    return <span className="truncate text-20 font-strong">{project.name}</span>
  }
  return (
    <img
      src={project.logo_url}
      alt=""
      // Made for a dark background, and shown on one even if the system's is light.
      className="block h-[1.375rem] w-auto max-w-40 object-contain forced-colors:box-content forced-colors:bg-ground forced-colors:px-2 forced-colors:py-1 forced-colors:forced-color-adjust-none"
    />
  )
}

/**
 * Whether it is open; it closes on every navigation and on Escape. Closing it moves the focus to
 * its button; a new page then moves it to its heading. If its code cannot be fetched, it says so,
 * and the page stays as it is.
 */
function useMenu() {
  const { key } = useLocation()
  const toggle = useRef<HTMLButtonElement>(null)
  const [openAt, setOpenAt] = useState<string | null>(null)
  const [isMenuThere, setMenuThere] = useState(false)
  const { layout } = useMessages()
  const isMenuOpen = openAt === key
  // Otherwise going back to where it was opened would open it again.
  if (openAt !== null && !isMenuOpen) setOpenAt(null)
  function setMenuOpen(open: boolean) {
    setOpenAt(open ? key : null)
    if (open) void fetchMenu()
    else toggle.current?.focus()
  }
  async function fetchMenu() {
    if (await MobileMenu.load()) return setMenuThere(true)
    setOpenAt(null)
    toast.error(layout.partFailed)
  }
  const onEscape = useEffectEvent(() => setMenuOpen(false))
  useEffect(() => {
    if (!isMenuOpen) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && onEscape()
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isMenuOpen])
  return { toggle, isMenuOpen, isMenuThere, setMenuOpen }
}

/**
 * Does nothing, as specified, until the project gives it an address; until then it looks as quiet
 * as the links beside it.
 */
function BuyNow() {
  const { layout } = useMessages()
  const url = useProject()?.links.buy_now ?? null
  if (url === null) {
    return (
      <button type="button" className={classNames(link, 'whitespace-nowrap')}>
        {layout.buyNow}
      </button>
    )
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className={`${buttonStyle('secondary', 'small', false)} mr-2 whitespace-nowrap`}
    >
      {layout.buyNow}
    </a>
  )
}
