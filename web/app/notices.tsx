import { FlaskConical } from 'lucide-react'
import { BannerList } from '#web/features/banner/banner-list.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/en.ts'
import { TextLink } from '#web/ui/actions/text-link.tsx'

/** What everybody is to know on every page: that this is a sandbox, and the sale's banners. */
export function Notices() {
  const { layout } = useMessages()
  const isSandbox = useProject()?.is_sandbox ?? false
  return (
    <div
      role="region"
      aria-label={layout.notices}
      className="flex flex-col gap-1 pt-3 empty:hidden print:hidden"
    >
      {isSandbox && <SandboxNotice />}
      <BannerList />
    </div>
  )
}

/**
 * One line, as it is on every page and never goes away; how it works is said where there is room.
 */
function SandboxNotice() {
  const { layout } = useMessages()
  return (
    <p className="flex min-h-7 items-center gap-2 text-12 sm:gap-3 sm:px-4 sm:text-14">
      <FlaskConical size={16} aria-hidden="true" className="shrink-0 text-warning" />
      <span className="text-warning">{layout.sandboxNotice}</span>
      <span className="hidden text-quiet md:inline">{layout.sandboxDetails}</span>
      <TextLink
        to={paths.sandbox}
        target="_blank"
        className="relative whitespace-nowrap after:absolute after:-inset-2 after:content-['']"
      >
        {layout.sandboxLink}
      </TextLink>
    </p>
  )
}
