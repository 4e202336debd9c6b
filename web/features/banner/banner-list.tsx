import { useRef } from 'react'
import type { Banner as SaleBanner } from '#contract/shapes.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession, useSessionState } from '#web/session/session-context.tsx'
import { ExternalLink, PlainLink, TextLink } from '#web/ui/actions/links.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { useBanners } from './queries.ts'

/** The notices that were not dismissed on this device. */
export function BannerList() {
  const list = useRef<HTMLUListElement>(null)
  const { dismissedBanners } = useSessionState()
  const { dismissBanner } = useSession()
  const banners = useBanners().filter((banner) => !dismissedBanners.includes(banner.id))
  if (banners.length === 0) return null

  /** The list takes the focus from the button that disappears. */
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

/**
 * The link of a notice. A page of the application opens in the same tab, like every other link to
 * it; another site opens beside it.
 */
function BannerLink({ banner }: { banner: SaleBanner }) {
  const address = banner.link_url ?? ''
  const label = banner.link_label ?? address
  if (!address.startsWith('/')) return <ExternalLink href={address}>{label}</ExternalLink>
  if (isPage(address)) return <TextLink to={address}>{label}</TextLink>
  return <PlainLink href={address}>{label}</PlainLink>
}

/** False for what the server answers itself, such as the documentation of its calls. */
function isPage(address: string): boolean {
  const [path = ''] = address.split(/[?#]/)
  return Object.values<string>(paths).includes(path)
}
