import { House, LogIn, UserPlus } from 'lucide-react'
import { useProject } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LogoutButton } from './logout-button.tsx'
import { NavigationLink, useNavigation } from './navigation.tsx'

interface MobileMenuProps {
  /** Called when somebody has chosen where to go, even if that is the present page. */
  onLeave: () => void
}

/** The entries that the sidebar and the header have on wide screens. */
export function MobileMenu({ onLeave }: MobileMenuProps) {
  const { layout } = useMessages()
  const project = useProject()
  const saleText = useSaleText(project)
  const isLoggedIn = useUser() !== null
  const sections = useNavigation().filter((entry) => !entry.isExternal)
  const own = isLoggedIn
    ? sections
    : [
        { label: layout.login, to: paths.login, Icon: LogIn },
        { label: layout.register, to: paths.register, Icon: UserPlus },
      ]
  return (
    <div className="max-h-[calc(100dvh-4rem)] animate-appear overflow-y-auto border-t border-hairline px-4 py-3 sm:px-6">
      <nav aria-label={layout.mobileMenu} className="flex flex-col gap-1 lg:hidden">
        {project !== undefined && (
          <NavigationLink
            entry={{
              label: layout.mainSite,
              to: project.main_site_url,
              Icon: House,
              isExternal: true,
            }}
            onFollow={onLeave}
          />
        )}
        {own.map((entry) => (
          <NavigationLink key={entry.label} entry={entry} onFollow={onLeave} />
        ))}
        {isLoggedIn && <LogoutButton />}
      </nav>
      <nav
        aria-label={layout.projectLinks}
        className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-1 border-t border-hairline pt-3 lg:mt-0 lg:border-t-0 lg:pt-0"
      >
        {Object.entries(project?.links.header ?? {}).map(([label, url]) => (
          <a
            key={label}
            href={url}
            target="_blank"
            rel="noreferrer"
            onClick={onLeave}
            className="flex min-h-11 items-center rounded-control px-3 text-14 font-medium text-quiet hover:bg-surface hover:text-ink"
          >
            {saleText(label)}
          </a>
        ))}
      </nav>
    </div>
  )
}
