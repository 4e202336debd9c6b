import { ExternalLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'

export function Transaction({ hash, url }: { hash: string; url: string | null }) {
  const shown = <AddressText value={hash} />
  return (
    <span className="min-w-0 text-14">
      {url === null ? shown : <ExternalLink href={url}>{shown}</ExternalLink>}
    </span>
  )
}
