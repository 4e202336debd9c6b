import { FlaskConical } from 'lucide-react'
import { BannerList } from '#web/features/banner/banner-list.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

/** What everybody is to know on every page: that this is a sandbox, and the sale's banners. */
export function Notices() {
  const { layout } = useMessages()
  const isSandbox = useProject()?.is_sandbox ?? false
  return (
    <div
      role="region"
      aria-label={layout.notices}
      className="flex flex-col gap-2 pt-4 empty:hidden"
    >
      {isSandbox && (
        <Banner
          tone="warning"
          icon={<FlaskConical size={20} aria-hidden="true" />}
          action={
            <TextLink to={paths.sandbox} target="_blank">
              {layout.sandboxLink}
            </TextLink>
          }
        >
          {layout.sandboxNotice}
        </Banner>
      )}
      <BannerList />
    </div>
  )
}
