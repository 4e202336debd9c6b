import { useSession, useSessionState } from '#web/session/session-context.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { ExternalLink } from '#web/ui/text-link.tsx'
import { useBanners } from './queries.ts'

/** The notices that were not dismissed on this device. */
export function BannerList() {
  const { dismissedBanners } = useSessionState()
  const { dismissBanner } = useSession()
  const banners = useBanners().filter((banner) => !dismissedBanners.includes(banner.id))
  return banners.map((banner) => (
    <Banner
      key={banner.id}
      tone={banner.tone}
      action={
        banner.link_url !== null && (
          <ExternalLink href={banner.link_url}>{banner.link_label ?? banner.link_url}</ExternalLink>
        )
      }
      {...(banner.dismissible && { onDismiss: () => dismissBanner(banner.id) })}
    >
      {banner.message}
    </Banner>
  ))
}
