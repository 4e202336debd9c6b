import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { formatCoins, formatExact } from '#web/lib/format/format.ts'
import { ExternalLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'

export type Asset = { short_name: string; chain: string } | null

/** The name of an asset; one that the sale does not take is counted in base units. */
export const assetName = (asset: Asset): string =>
  asset === null ? 'base units' : asset.short_name || 'coins'

/** An amount for reading; the exact one goes into titles and copies. */
export const assetAmount = (asset: Asset, amount: string): string =>
  asset === null ? formatExact(amount) : formatCoins(amount)

/** People's name for an asset of the ledger. */
export const ledgerAsset = (asset: string): string =>
  asset === TOKEN_ASSET ? 'tokens' : asset.toUpperCase()

/** An amount of a coin, with the exact one in a tooltip. */
export function Coins({ amount, payment_token: coin }: { amount: string; payment_token: Asset }) {
  return (
    <span title={`${amount} ${assetName(coin)}`} className="tabular whitespace-nowrap">
      {assetAmount(coin, amount)} <span className="text-quiet">{assetName(coin)}</span>
    </span>
  )
}

/** The number of a purchase as people say it. */
export function PurchaseNumber({ id }: { id: string }) {
  return <span className="tabular whitespace-nowrap">{purchaseNumber(id)}</span>
}

export function Transaction({ hash, url }: { hash: string; url: string | null }) {
  const shown = <AddressText value={hash} />
  return (
    <span className="min-w-0 text-14">
      {url === null ? shown : <ExternalLink href={url}>{shown}</ExternalLink>}
    </span>
  )
}
