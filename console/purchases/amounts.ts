import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { formatCoins, formatExact } from '#web/lib/format/format.ts'

type Asset = { short_name: string; chain: string } | null

/** What an asset is called; one that the sale does not take is counted in base units. */
export const assetName = (asset: Asset): string =>
  asset === null ? 'base units' : asset.short_name || 'coins'

/** An amount as it is read; the exact one goes into titles and copies. */
export const assetAmount = (asset: Asset, amount: string): string =>
  asset === null ? formatExact(amount) : formatCoins(amount)

/** What the ledger calls an asset, as people do. */
export const ledgerAsset = (asset: string): string =>
  asset === TOKEN_ASSET ? 'tokens' : asset.toUpperCase()
