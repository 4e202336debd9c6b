import { TOKEN_ASSET } from '#domain/settlement/ledger.ts'
import { formatCoins, formatExact } from '#web/lib/format/format.ts'

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
