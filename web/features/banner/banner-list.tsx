import { useId, useRef, useState } from 'react'
import type { Banner as SaleBanner } from '#contract/shapes.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession, useSessionState } from '#web/session/session-context.tsx'
import { ExternalLink, PlainLink, TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { useBanners } from './queries.ts'
import { shownBanners } from './shown-banners.ts'

interface BannerListProps {
  pathname: string
  /** Null while it is not known. */
  saleStatus: SaleBanner['while'][number] | null
  /** Turns a text of the sale file into the language of the page. */
  saleText: (text: string) => string
  className?: string
}

/**
 * The newest notice not dismissed on this device, and every warning; a button opens the older ones.
 */
export function BannerList({ pathname, saleStatus, saleText, className }: BannerListProps) {
  const { layout } = useMessages()
  const list = useRef<HTMLUListElement>(null)
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const { dismissedBanners: dismissed } = useSessionState()
  const { dismissBanner } = useSession()
  const banners = shownBanners(useBanners(), { pathname, saleStatus, dismissed })
  if (banners.length === 0) return null

  /** The list takes the focus from the button that disappears. */
  function dismiss(id: string) {
    list.current?.focus()
    dismissBanner(id)
  }

  const isKept = (banner: SaleBanner, index: number) => index === 0 || banner.tone === 'warning'
  const older = banners.filter((banner, index) => !isKept(banner, index)).length
  return (
    <ul
      ref={list}
      id={listId}
      tabIndex={-1}
      className={classNames('flex flex-col gap-1 outline-none', className)}
    >
      {banners.map((banner, index) => (
        <li key={banner.id} data-banner={banner.id} hidden={!isOpen && !isKept(banner, index)}>
          <Banner
            tone={banner.tone}
            isSmall
            action={
              <>
                {banner.link_url !== null && (
                  <span className="mr-3 inline-block">
                    <BannerLink banner={banner} saleText={saleText} />
                  </span>
                )}
                {index === 0 && older > 0 && (
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    aria-controls={listId}
                    onClick={() => setOpen(!isOpen)}
                    className="relative whitespace-nowrap text-quiet underline decoration-edge underline-offset-4 transition-colors after:absolute after:-inset-x-2 after:-inset-y-3 hover:text-ink noscript:hidden"
                  >
                    {isOpen ? layout.fewerNotices : layout.moreNotices(older)}
                  </button>
                )}
              </>
            }
            {...(banner.dismissible && { onDismiss: () => dismiss(banner.id) })}
          >
            {saleText(banner.message)}
          </Banner>
        </li>
      ))}
    </ul>
  )
}

interface BannerLinkProps {
  banner: SaleBanner
  saleText: (text: string) => string
}

/**
 * The link of a notice. A page of the application opens in the same tab, like every other link to
 * it; another site opens in a new one.
 */
function BannerLink({ banner, saleText }: BannerLinkProps) {
  const address = banner.link_url ?? ''
  const label = saleText(banner.link_label ?? address)
  if (!address.startsWith('/')) return <ExternalLink href={address}>{label}</ExternalLink>
  if (isPage(address)) return <TextLink to={address}>{label}</TextLink>
  return <PlainLink href={address}>{label}</PlainLink>
}

/** False for pages that the server itself serves, such as the API's documentation. */
function isPage(address: string): boolean {
  const [path = ''] = address.split(/[?#]/)
  return Object.values<string>(paths).includes(path)
}
