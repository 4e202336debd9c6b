import { ExternalLink } from 'lucide-react'
import { NavLink } from 'react-router'
import { classNames } from '#web/ui/style/class-names.ts'
import { loadPage } from './routes.tsx'
import type { NavigationEntry } from './use-navigation.ts'

const look =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left font-medium ' +
  'transition-colors'
const rest = 'text-quiet hover:bg-surface hover:text-ink'

interface NavigationLinkProps {
  entry: NavigationEntry
  /** Called when somebody goes there, also to the page that is open already. */
  onFollow?: () => void
}

/** One entry of the sidebar or of the mobile menu. */
export function NavigationLink({ entry, onFollow }: NavigationLinkProps) {
  const { label, to, Icon, isExternal, disabledBecause } = entry
  const icon = <Icon size={20} aria-hidden="true" />
  if (disabledBecause !== null) {
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
        <ExternalLink size={16} aria-hidden="true" className="ml-auto" />
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
