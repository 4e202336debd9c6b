import { useMessages } from '#web/messages/use-messages.ts'
import { LogoutButton } from './logout-button.tsx'
import { NavigationLink, useNavigation } from './navigation.tsx'

/** The application's sections for logged-in users, beside the page on wide screens. */
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
