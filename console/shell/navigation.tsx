import { NavLink } from 'react-router'
import { navigation } from '#console/screens.ts'
import { useSelf } from '#console/session/self.ts'
import { classNames } from '#web/ui/style/class-names.ts'

// Lower for a mouse, so that all sections fit on a laptop's screen.
const look =
  'flex min-h-11 w-full min-w-0 items-center gap-3 rounded-control px-3 text-left font-medium ' +
  'transition-colors lg:pointer-fine:min-h-9'
const rest = 'text-quiet hover:bg-surface hover:text-ink'

/** The sections that the person may see, by group. */
export function Navigation({ onFollow }: { onFollow?: () => void }) {
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
