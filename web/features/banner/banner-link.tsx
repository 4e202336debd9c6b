import type { Banner } from '#contract/shapes.ts'
import { paths } from '#web/lib/paths.ts'
import { ExternalLink, PlainLink, TextLink } from '#web/ui/actions/text-link.tsx'

/**
 * The link of a notice. A page of the application opens in the same tab, like every other link to
 * it; another site opens beside it.
 */
export function BannerLink({ banner }: { banner: Banner }) {
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
