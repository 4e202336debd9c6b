import { NavLink } from 'react-router'
import { classNames } from '#web/ui/style/class-names.ts'

const sections = [
  { path: '/refunds', label: 'Owed' },
  { path: '/refunds/claims', label: 'Claims' },
  { path: '/refunds/batches', label: 'Batches' },
  { path: '/refunds/transfers', label: 'Other tokens' },
] as const

/** The stages of money on its way back: owed, claimed, sent in batches. */
export function RefundSections() {
  return (
    <nav aria-label="Refunds" className="-mt-2 flex flex-wrap gap-x-1 border-b border-hairline">
      {sections.map(({ path, label }) => (
        <NavLink
          key={path}
          to={path}
          end
          className={({ isActive }) =>
            classNames(
              'flex min-h-11 items-center border-b-2 px-1.5 text-14 font-medium transition-colors sm:px-3 sm:text-16',
              isActive ? 'border-accent text-ink' : 'border-transparent text-quiet hover:text-ink',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
