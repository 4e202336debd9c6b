import {
  Coins,
  ExternalLink,
  Info,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  User,
  Users,
} from 'lucide-react'
import { NavLink } from 'react-router'
import { useProject } from '#web/features/project/queries.ts'
import { usePromotions } from '#web/features/promotion/queries.ts'
import { useSale } from '#web/features/stage/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { loadPage } from './routes.tsx'

const look =
  'flex min-h-11 w-full min-w-0 items-center gap-3 rounded-control px-3 text-left font-medium ' +
  'transition-colors'
const rest = 'text-quiet hover:bg-surface hover:text-ink'

interface NavigationLinkProps {
  entry: NavigationEntry
  /** Called when somebody goes there, even if that is the present page. */
  onFollow?: () => void
}

/** One entry of the sidebar or of the mobile menu. */
export function NavigationLink({ entry, onFollow }: NavigationLinkProps) {
  const { label, to, Icon, isExternal, disabledBecause } = entry
  const icon = <Icon size="1.25em" />
  if (disabledBecause !== undefined) {
    return (
      <span
        role="link"
        aria-disabled="true"
        title={disabledBecause}
        className={classNames(look, 'cursor-not-allowed text-quiet opacity-60')}
      >
        {icon}
        {label}
      </span>
    )
  }
  if (isExternal) {
    return (
      <a
        href={to}
        target="_blank"
        rel="noreferrer"
        onClick={onFollow}
        className={classNames(look, rest)}
      >
        {icon}
        {label}
        <ExternalLink size="1em" className="ml-auto" />
      </a>
    )
  }
  const preload = () => void loadPage(to)
  return (
    <NavLink
      to={to}
      end
      onClick={onFollow}
      onPointerEnter={preload}
      onFocus={preload}
      className={({ isActive }) =>
        classNames(look, isActive ? 'bg-raised text-ink [&>svg]:text-accent' : rest)
      }
    >
      {icon}
      {label}
    </NavLink>
  )
}

interface NavigationEntry {
  label: string
  /** A path of the application, or an address if `isExternal`. */
  to: string
  isExternal?: boolean
  /** Why it cannot be opened; left out if it can. */
  disabledBecause?: string | undefined
  Icon: LucideIcon
}

/** The entries of the sidebar in their order; specification section 2. */
export function useNavigation(): NavigationEntry[] {
  const { layout } = useMessages()
  const project = useProject()
  const hasPromotions = (usePromotions().data ?? []).length > 0
  const isEnded = useSale().data?.status === 'ENDED'
  const entries: NavigationEntry[] = [
    { label: layout.dashboard, to: paths.dashboard, Icon: LayoutDashboard },
    { label: layout.account, to: paths.account, Icon: User },
    {
      label: layout.buy,
      to: paths.buy,
      Icon: Coins,
      disabledBecause: isEnded ? layout.saleEnded : undefined,
    },
    { label: layout.referrals, to: paths.referrals, Icon: Users },
  ]
  if (hasPromotions) {
    entries.push({ label: layout.promotions, to: paths.promotions, Icon: Megaphone })
  }
  if (project !== undefined) {
    const to = new URL('info', project.main_site_url.replace(/\/?$/, '/')).href
    entries.push({ label: layout.info, to, Icon: Info, isExternal: true })
  }
  return entries
}
