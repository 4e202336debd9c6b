import { useMessages } from '#web/messages/en.ts'
import { LogoutButton } from './logout-button.tsx'
import { NavigationLink } from './navigation-link.tsx'
import { useNavigation } from './use-navigation.ts'

/** The sections of the application for who is logged in, beside the page on wide screens. */
export function Sidebar() {
  const { layout } = useMessages()
  return (
    <aside className="sticky top-16 hidden h-[calc(100dvh-4rem)] flex-col gap-3 overflow-y-auto py-8 lg:flex print:hidden">
      <p className="px-3 text-12 font-strong tracking-wide text-quiet">{layout.sidebarTitle}</p>
      <nav aria-label={layout.sections} className="flex flex-col gap-1">
        {useNavigation().map((entry) => (
          <NavigationLink key={entry.label} entry={entry} />
        ))}
      </nav>
      <div className="mt-auto border-t border-hairline pt-3">
        <LogoutButton />
      </div>
    </aside>
  )
}
