import { useRef } from 'react'
import { useSession, useSessionState } from '#web/session/session-context.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { BannerLink } from './banner-link.tsx'
import { useBanners } from './queries.ts'

/** The notices that were not dismissed on this device. */
export function BannerList() {
  const list = useRef<HTMLUListElement>(null)
  const { dismissedBanners } = useSessionState()
  const { dismissBanner } = useSession()
  const banners = useBanners().filter((banner) => !dismissedBanners.includes(banner.id))
  if (banners.length === 0) return null

  /** The list keeps the focus, which the button that goes away had. */
  function dismiss(id: string) {
    list.current?.focus()
    dismissBanner(id)
  }

  return (
    <ul ref={list} tabIndex={-1} className="flex flex-col gap-1 outline-none">
      {banners.map((banner) => (
        <li key={banner.id}>
          <Banner
            tone={banner.tone}
            action={banner.link_url !== null && <BannerLink banner={banner} />}
            {...(banner.dismissible && { onDismiss: () => dismiss(banner.id) })}
          >
            {banner.message}
          </Banner>
        </li>
      ))}
    </ul>
  )
}
